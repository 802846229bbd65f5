import type { AddressAnswer } from './types.ts';

const DEADLINE_MS = 6_000;

/** Asks an address for its first page, as a browser would, and looks only at whether and how it is reached. */
export async function checkAddress(address: string): Promise<AddressAnswer> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const answer = await fetch(address, { method: 'HEAD', redirect: 'manual', signal });
    // The answer of a proxy whose service is not running.
    return answer.status >= 502 && answer.status <= 504 ? 'silent' : 'answers';
  } catch (error) {
    return answerFor(codeOf(error));
  }
}

function answerFor(code: string): AddressAnswer {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknownName';
  return /CERT|TLS|SSL|SIGNATURE/.test(code) ? 'badCertificate' : 'silent';
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
