import type { VNode } from 'preact'

const lines = {
  stock: 'M4 19V11M10 19V5M16 19v-6M21 19H3',
  animals: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  categories: 'M4 12V5a1 1 0 0 1 1-1h7l8 8-8 8zM8 8h.01',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  keys: 'M8 11.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12.7L20 4M16.5 7.3l3 3M14 9.8l2 2',
  settings:
    'M3 7h9M18 7h3M3 17h3M12 17h9M15 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM9 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  sandbox: 'M10 3v6L4.5 18.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M8.5 3h7M7.5 15h9',
  note: 'M5 4h14v10l-5 6H5zM14 20v-6h5M8.5 8.5h7M8.5 12h4',
  wait: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4l3 2',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM20 20l-4-4',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  check: 'M5 12.5l4.5 4.5L19 7',
  offline: 'M4 4l16 16M8.5 12.5a5 5 0 0 1 2-1.2M5 9a10 10 0 0 1 3-2M12 6a10 10 0 0 1 7 3M12 18h.01',
}

export type IconName = keyof typeof lines

/** An icon beside text, never alone. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={lines[name]} />
    </svg>
  )
}

/** The name of the program, with its paw. */
export function Brand({ name = 'Pet Store' }: { name?: string }): VNode {
  return (
    <p class="brand">
      <Paw />
      <span>{name}</span>
    </p>
  )
}

function Paw(): VNode {
  return (
    <svg class="paw" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <ellipse cx="7.4" cy="15" rx="2.8" ry="3.8" transform="rotate(-18 7.4 15)" />
      <ellipse cx="12.8" cy="8.8" rx="2.9" ry="4.2" transform="rotate(-6 12.8 8.8)" />
      <ellipse cx="19.2" cy="8.8" rx="2.9" ry="4.2" transform="rotate(6 19.2 8.8)" />
      <ellipse cx="24.6" cy="15" rx="2.8" ry="3.8" transform="rotate(18 24.6 15)" />
      <path d="M16 15.6c-4.6 0-8.6 4.5-8.6 8.2 0 2.5 1.7 3.7 3.7 3.7 1.8 0 3.2-1 4.9-1s3.1 1 4.9 1c2 0 3.7-1.2 3.7-3.7 0-3.7-4-8.2-8.6-8.2z" />
    </svg>
  )
}
