import type { Response } from 'express';

/** Nothing but what this service serves itself, no inline script or style, and no other page around it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What every HTML answer carries, redirects included (decisions §6). */
export const HTML_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Content-Type': 'text/html; charset=utf-8',
} as const;

export function setHtmlHeaders(response: Response): void {
  for (const [name, value] of Object.entries(HTML_HEADERS)) response.setHeader(name, value);
}
