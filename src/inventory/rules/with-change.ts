/** The resource with the members of a change. A member of null is removed. */
export function withChange<Resource extends object>(
  resource: Resource,
  change: { readonly [Name in keyof Resource]?: Resource[Name] | null | undefined },
): Resource {
  const changed = { ...resource }
  for (const name of Object.keys(change) as (keyof Resource)[]) {
    const value = change[name]
    if (value === null) delete changed[name]
    else if (value !== undefined) changed[name] = value
  }
  return changed
}
