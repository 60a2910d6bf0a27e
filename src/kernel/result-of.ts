/** What a method answers in the end. */
export type ResultOf<Method extends (...given: never[]) => unknown> = Awaited<ReturnType<Method>>;
