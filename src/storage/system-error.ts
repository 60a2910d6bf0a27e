/** Whether the operating system refused something for a reason, such as `ENOENT`. */
export function isSystemError(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
