import { randomUUID } from 'node:crypto';

/** An answer that is no success, in the vendor's body shape. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    about: { message: string; category?: string } & Record<string, unknown>,
    headers: Record<string, string> = {},
  ) {
    super(about.message);
    this.status = status;
    this.headers = headers;
    this.body = { status: 'error', correlationId: randomUUID(), ...about };
  }
}

export function invalid(message: string, more: Record<string, unknown> = {}): Refusal {
  return new Refusal(400, { message, category: 'VALIDATION_ERROR', ...more });
}

/** One property's value is wrong. The sentence holds JSON, as the vendor's does. */
export function invalidProperty(name: string, error: string, message: string): Refusal {
  const problem = { isValid: false, message, error, name, localizedErrorMessage: message };
  return invalid(`Property values were not valid: [${JSON.stringify(problem)}]`, {
    errors: [{ message, code: error, context: { propertyName: [name] } }],
  });
}

export function notFound(): Refusal {
  return new Refusal(404, { message: 'resource not found', category: 'OBJECT_NOT_FOUND' });
}
