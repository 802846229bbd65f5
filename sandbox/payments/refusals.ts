/** An error response in the vendor's shape. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, about: { message: string; code?: string; param?: string }) {
    super(about.message);
    this.status = status;
    this.body = { error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', ...about } };
  }
}

export function missing(what: string, id: string): Refusal {
  return new Refusal(404, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param: 'id' });
}
