const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Reads JSON. An integer that a JavaScript number might round arrives as a string of its digits. */
export function parseJson(text) {
  return JSON.parse(text.replace(token, (part) => (/^-?\d{16,}$/.test(part) ? `"${part}"` : part)))
}
