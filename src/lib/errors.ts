import { formatQuantity } from './words.ts';

/**
 * An error whose message may be shown to people. `message` is a sentence for them and contains no secret; `code` is for
 * programs. No HTTP in here: `http/errors.ts` has the one table that turns these into answers.
 */
export class AppError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Something sent to us is missing or wrong. `fields` names each one with a sentence. */
export class InvalidInput extends AppError {
  readonly fields: Record<string, string>;

  constructor(message: string, fields: Record<string, string> = {}, code = 'INVALID_INPUT') {
    super(code, message);
    this.fields = fields;
  }
}

export class NotSignedIn extends AppError {
  constructor() {
    super('NOT_SIGNED_IN', 'Sign in to do this.');
  }
}

/** For the operator's addresses, which are opened by a key and not by a session. */
export class WrongKey extends AppError {
  constructor() {
    super('WRONG_KEY', 'The key is missing or wrong.');
  }
}

/** An invalid API token. The answer is the same whether it never existed, was revoked or has expired. */
export class WrongToken extends AppError {
  constructor() {
    super('WRONG_TOKEN', 'This token is unknown, revoked or expired.');
  }
}

export class Forbidden extends AppError {
  constructor(message: string, code = 'FORBIDDEN') {
    super(code, message);
  }
}

/** The address exists, but not for this method. */
export class NotAllowed extends AppError {
  constructor() {
    super('METHOD_NOT_ALLOWED', 'This address doesn’t take that method.');
  }
}

/** Unknown, or another user's: the answer is the same for both. */
export class NotFound extends AppError {
  constructor(what: string) {
    super('NOT_FOUND', `There is no such ${what}.`);
  }
}

export class Conflict extends AppError {
  /** Data that a program needs to go on, such as the id of the existing record. It is in the answer's body. */
  readonly details: Readonly<Record<string, string>>;

  constructor(code: string, message: string, details: Record<string, string> = {}) {
    super(code, message);
    this.details = details;
  }
}

export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, message?: string, code?: string) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
    super(code ?? 'TOO_MANY_REQUESTS', message ?? `Too many attempts. Try again in ${durationWords(seconds)}.`);
    this.retryAfterSeconds = seconds;
  }
}

/** `40 seconds`, `14 minutes`. Never less than it takes. */
function durationWords(seconds: number): string {
  return seconds <= 90
    ? formatQuantity(seconds, 'second', 'seconds')
    : formatQuantity(Math.ceil(seconds / 60), 'minute', 'minutes');
}

/** Keeps the program from starting. Its message is a sentence for the person at the terminal, shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
