type Messages = Readonly<Record<string, readonly string[]>>;

/**
 * The body of a validation answer (decisions §2). `details` states the same faults as `errors`.
 * @param codes of the faults, in order; any where none are given
 */
export function invalid(errors: Messages, codes?: readonly string[]): Record<string, unknown> {
  return {
    code: 'validation_failed',
    message: 'Validation failed.',
    errors,
    details: details(errors, codes),
  };
}

/** What `details` states beside these `errors`. */
export function details(errors: Messages, codes?: readonly string[]): unknown[] {
  const faults = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => ({ field, message })),
  );
  return faults.map((fault, place) => ({
    ...fault,
    code: codes?.[place] ?? (expect.any(String) as unknown),
  }));
}
