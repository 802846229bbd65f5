import { randomUUID } from 'node:crypto';
import { Refusal } from './refusals.ts';

export type CrmLimits = { callsPerTenSeconds: number; searchesPerSecond: number };

/** The limits of an app that is installed by OAuth: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines */
export const VENDOR_LIMITS: CrmLimits = { callsPerTenSeconds: 110, searchesPerSecond: 5 };

const TEN_SECONDS = 10_000;
const SECOND = 1000;

export type RateLimits = {
  /** Counts a call and returns the headers about the limit. Throws the vendor's 429. */
  take(portalId: string, isSearch: boolean): Record<string, string>;
};

/** Each account has two rolling windows, one for searches and one for everything else. */
export function createRateLimits(limits: CrmLimits, now: () => number): RateLimits {
  const calls = new Map<string, number[]>();

  function isFull(key: string, windowMs: number, most: number): boolean {
    const since = now() - windowMs;
    const recent = (calls.get(key) ?? []).filter(at => at > since);
    calls.set(key, recent);
    if (recent.length >= most) return true;
    recent.push(now());
    return false;
  }

  return {
    take(portalId, isSearch) {
      if (isSearch) {
        if (isFull(`search ${portalId}`, SECOND, limits.searchesPerSecond)) throw tooManySearches();
        return {};
      }
      const isOver = isFull(portalId, TEN_SECONDS, limits.callsPerTenSeconds);
      const headers = headersFor(limits.callsPerTenSeconds, calls.get(portalId)?.length ?? 0);
      if (isOver) throw tooManyCalls(headers);
      return headers;
    },
  };
}

function headersFor(most: number, used: number): Record<string, string> {
  return {
    'X-HubSpot-RateLimit-Max': String(most),
    'X-HubSpot-RateLimit-Remaining': String(Math.max(0, most - used)),
    'X-HubSpot-RateLimit-Interval-Milliseconds': String(TEN_SECONDS),
  };
}

/** The vendor sends no rate limit headers with searches. */
export function tooManySearches(headers: Record<string, string> = {}): Refusal {
  return tooMany('You have reached your secondly limit.', 'SECONDLY', headers);
}

export function tooManyCalls(headers: Record<string, string> = {}): Refusal {
  return tooMany('You have reached your ten_secondly_rolling limit.', 'TEN_SECONDLY_ROLLING', headers);
}

function tooMany(message: string, policyName: string, headers: Record<string, string>): Refusal {
  const about = { errorType: 'RATE_LIMIT', category: 'RATE_LIMITS', policyName, requestId: randomUUID() };
  return new Refusal(429, { message, ...about }, headers);
}
