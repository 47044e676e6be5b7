/** What takes up room: no control or format characters, no spaces, no fillers. */
const visible = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Names and texts of a shop may have nothing that can be seen, such as a zero width space. A link would have no width. */
export function isVisible(text: string): boolean {
  return visible.test(text)
}

/** The text, or what stands for it if nothing of it can be seen. */
export function visibleText(text: string): string {
  return isVisible(text) ? text : '(invisible)'
}
