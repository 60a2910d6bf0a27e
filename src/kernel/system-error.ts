/** True for an error of the operating system with this code, such as `ENOENT`. */
export function isSystemError(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
