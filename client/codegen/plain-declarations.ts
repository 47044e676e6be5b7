/** Declarations that every TypeScript can use, and everybody can fake. */
export function plainDeclarations(text: string): string {
  return (
    text
      // TypeScript rewrites import extensions in JavaScript only.
      .replaceAll(/(?<=(from|import\() ?'\.{1,2}\/[^']*)\.ts(?=')/g, '.js')
      // It would make the classes nominal: nobody could write a fake of one.
      .replaceAll(/^ +#private;\n/gm, '')
  )
}
