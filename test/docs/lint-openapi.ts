import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describedService } from '../contracts/described-service.js';

/** Redocly's recommended rules, but for what is no fault of this document. */
const RULES: Parameters<typeof createConfig>[0] = {
  extends: ['recommended-strict'],
  rules: {
    // Webhooks answer 501 and nothing else.
    'operation-2xx-response': 'off',
    // `entry-points/logs` and `entry-points/{id}/logs`, as the specification names them.
    'no-ambiguous-paths': 'off',
  },
};

/** `npm run lint:openapi`: prints what Redocly's rules find in the description of the running service. */
async function main(): Promise<void> {
  const { document } = await describedService();
  const source = JSON.stringify(document);
  const config = await createConfig(RULES);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  for (const { ruleId, severity, message, location } of problems) {
    console.error(
      `${severity} ${ruleId}: ${message} ${location.map(({ pointer }) => pointer ?? '').join(' ')}`,
    );
  }
  console.log(
    `OpenAPI: ${Object.keys((JSON.parse(source) as { paths: object }).paths).length} paths, ${source.length} characters, ${problems.length} problems.`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

void main();
