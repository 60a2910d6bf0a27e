import type { Answer } from './http-client.js';
import { demand, type Service } from './service.js';

const PASSWORD = 'correct horse battery staple';
let last = 0;

type Role = 'admin' | 'manager' | 'auditor';

/** Adds an operator and signs them in. @returns a call like {@link Service.operator} */
export async function operatorAs(service: Service, role: Role, scope: object): Promise<Service['operator']> {
  last += 1;
  const email = `${role}-${last}@example.com`;
  await service.addOperator({ email, password: PASSWORD, role, ...scope });
  const body = { email, password: PASSWORD };
  const { token } = demand(201, await service.call('post', '/api/operator/sessions', { body }));
  return (method, path, given): Promise<Answer> =>
    service.call(method, `/api/operator${path}`, { token: token as string, body: given });
}
