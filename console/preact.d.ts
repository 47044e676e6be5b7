// The part of Preact and htm that the console uses. The service serves the package's own file beside this one.

export interface VNode {
  readonly type: unknown
  readonly props: unknown
}

/** What a component may draw. */
export type Drawing = VNode | string | false | null | undefined

interface Ref<Value> {
  current: Value
}

type Update<State> = (next: State | ((before: State) => State)) => void

export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode
export function render(drawing: VNode, parent: Element): void
export function useState<State>(initial: State | (() => State)): [State, Update<State>]
export function useState<State>(): [State | undefined, Update<State | undefined>]
export function useEffect(effect: () => undefined | void | (() => void), inputs?: readonly unknown[]): void
export function useLayoutEffect(effect: () => undefined | void | (() => void), inputs?: readonly unknown[]): void
export function useRef<Value>(initial: Value): Ref<Value>
/** For an element: it is there once the component has been drawn. */
export function useRef<Value>(): Ref<Value | undefined>
