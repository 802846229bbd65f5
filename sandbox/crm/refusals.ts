import { randomUUID } from 'node:crypto';

/** An error response in the vendor's shape. */
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

/** The error for one wrong value of a property. Its message contains JSON, as the vendor's does. */
export function invalidProperty(name: string, error: string, message: string): Refusal {
  const problem = { isValid: false, message, error, name, localizedErrorMessage: message };
  return invalid(`Property values were not valid: [${JSON.stringify(problem)}]`, {
    errors: [{ message, code: error, context: { propertyName: [name] } }],
  });
}

export function notFound(): Refusal {
  return new Refusal(404, { message: 'resource not found', category: 'OBJECT_NOT_FOUND' });
}
