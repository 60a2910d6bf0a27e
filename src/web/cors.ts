import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';

/**
 * CORS for pages of other origins (decisions §10: `CORS_ORIGINS`). They may send a token, but never the dashboard's cookie.
 */
export function corsOptions(origins: readonly string[]): CorsOptions {
  return {
    origin: [...origins],
    credentials: false,
    preflightContinue: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders: [
      ...[
        'ETag',
        'Location',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-Request-Id',
        'Idempotency-Replayed',
      ],
      ...['Deprecation', 'Link', 'Sunset'],
    ],
    maxAge: 600,
  };
}
