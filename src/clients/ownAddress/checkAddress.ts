import type { AddressAnswer } from './types.ts';

const DEADLINE_MS = 6_000;

/** Sends a HEAD request and reports whether the address can be reached; the status matters only if a proxy failed. */
export async function checkAddress(address: string): Promise<AddressAnswer> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const answer = await fetch(address, { method: 'HEAD', redirect: 'manual', signal });
    // The answer of a proxy whose service is not running.
    return answer.status >= 502 && answer.status <= 504 ? 'silent' : 'answers';
  } catch (error) {
    return classifyFailure(findErrorCode(error));
  }
}

function classifyFailure(code: string): AddressAnswer {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknownName';
  return /CERT|TLS|SSL|SIGNATURE/.test(code) ? 'badCertificate' : 'silent';
}

function findErrorCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
