import { petStatuses, type StatusOrNone } from '../statuses.ts'

/** The fields of an animal that a file can fill. The category is given by number or by name. */
export const importFields = ['name', 'categoryName', 'categoryId', 'status'] as const
export type ImportField = (typeof importFields)[number]

/** The column of each field, as an index; undefined if the file has none. */
export type Columns = Partial<Record<ImportField, number>>

/** What people call a column, without case and accents. The first name of a list that a file has counts. */
const columnNames: Record<ImportField, readonly string[]> = {
  name: words(
    'name, pet name, animal name, tiername, rufname, nom, nombre, nome, naam, imie, namn, navn, nimi',
    'jmeno, nev, pet, animal, tier, dier, zwierze, djur',
  ),
  categoryId: words(
    'categoryid, category id, category number, category no, kategorienummer, kategorie nr',
    'kategorie id, numero de categorie, numero de categoria, id categoria, categorienummer',
  ),
  categoryName: words(
    'categoryname, category, category name, kategorie, tierart, categorie, categoria, kategoria',
    'kategori, species, kind, art, gattung, espece, especie, specie, soort, gatunek, type, typ, tipo',
    'group, gruppe, breed, rasse, race, raza, razza, ras, rasa',
  ),
  status: words(
    'status, state, availability, zustand, verfugbarkeit, bestand, statut, etat, disponibilite',
    'estado, disponibilidad, stato, disponibilita, beschikbaarheid, stan, tillganglighet, tila',
  ),
}

/** How words for a status begin, without case and accents. */
const statusWords: Record<StatusOrNone, readonly string[]> = {
  available: words(
    'availab, in stock, for sale, free, verfugbar, auf lager, lagernd, vorratig, lieferbar, frei',
    'zu verkaufen, dispon, en stock, a vendre, en venta, a venda, in vendita, beschikbaar, te koop',
    'op voorraad, dostepn, tillganglig, till salu, i lager, til salg, ledig',
  ),
  pending: words(
    'pending, reserv, on hold, ordered, bestellt, vorgemerkt, en attente, commande, pendient',
    'pendente, riservat, prenotat, in attesa, gereserveerd, besteld, zarezerwowan, zamowion, bestalld',
    'bestilt, oczekuj',
  ),
  sold: words('sold, verkauft, abgegeben, vendu, vendid, vendut, verkocht, sprzedan, sald, solgt, myyty'),
  none: words('none, unknown, unbekannt, n/a, inconnu, desconocid, sconosciut, onbekend, nieznan, -, ?'),
}

function words(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split(', '))
}

/** The columns by their names. A column for categories with nothing but numbers has their numbers. */
export function guessColumns(header: readonly string[], isNumeric: (column: number) => boolean): Columns {
  const names = header.map(folded)
  const found: Columns = {}
  for (const field of importFields) {
    // The names of the service first: a file of its own export is never guessed.
    const own = header.findIndex((name) => name.toLowerCase() === field.toLowerCase())
    const column = own === -1 ? columnNames[field].map((name) => names.indexOf(name)).find((at) => at !== -1) : own
    if (column !== undefined) found[field] = column
  }
  const { categoryId, categoryName, ...others } = found
  if (categoryId !== undefined || categoryName === undefined) return found
  const isOwnName = header[categoryName]?.toLowerCase() === 'categoryname'
  return !isOwnName && isNumeric(categoryName) ? { ...others, categoryId: categoryName } : found
}

/** The status that a word of the file stands for, undefined if it is not known. */
export function guessStatus(word: string): StatusOrNone | undefined {
  const text = folded(word)
  const statuses = Object.keys(statusWords) as StatusOrNone[]
  return statuses.find((status) => statusWords[status].some((beginning) => isBeginning(text, beginning)))
}

/** A mark, such as a dash, is a whole word. */
function isBeginning(text: string, beginning: string): boolean {
  return /^[a-z]/.test(beginning) && beginning !== 'none' ? text.startsWith(beginning) : text === beginning
}

/** Whether the service knows this word itself. */
export function isOwnStatus(word: string): boolean {
  return petStatuses.some((status) => status === word.toLowerCase())
}

/** Without case, accents and the signs between words. */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.length > 1 ? plain.replace(/[\s_.:-]+/g, ' ').trim() : plain
}
