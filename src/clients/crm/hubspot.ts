import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureRefused } from '../errors.ts';
import { type CallOptions, createCall } from './hubspot/calls.ts';
import { contactCalls } from './hubspot/contacts.ts';
import { noteCalls } from './hubspot/engagements.ts';
import { HttpFailure, toClientError, wordsFor } from './hubspot/failures.ts';
import { keyCalls, oauthCalls, readAccount } from './hubspot/oauth.ts';
import { propertyCalls } from './hubspot/properties.ts';
import { requirementsOf } from './hubspot/requirements.ts';
import { taskCalls } from './hubspot/tasks.ts';
import type { Crm, CrmAccess, CrmClient, CrmObject, CrmReport, WebhookRequest } from './types.ts';

export type HubspotOptions = {
  /** The credentials of the app that people sign in to, or the key of one account. */
  clientId?: string;
  clientSecret?: string;
  accessToken?: string | undefined;
  report: (failure: CrmReport) => void;
  /** Other addresses than the vendor's: its interface and its pages. */
  apiUrl?: string | undefined;
  appUrl?: string | undefined;
  /** Milliseconds: deadline of an answer, and delay before the first retry. */
  deadlineMs?: number;
  retryPauseMs?: number;
};

const VENDOR_API = 'https://api.hubapi.com';
const VENDOR_APP = 'https://app.hubspot.com';

/** https://developers.hubspot.com/docs/api-reference/latest/crm/understanding-the-crm: the vendor's numbers of the kinds. */
const OBJECT_TYPE_IDS: Record<CrmObject, string> = { contacts: '0-1', notes: '0-46', tasks: '0-27' };

/** HubSpot. Its addresses, terms and oddities stay within this client. */
export function createHubspotClient({ accessToken, report, ...options }: HubspotOptions): CrmClient {
  const {
    clientId = '',
    clientSecret = '',
    apiUrl = VENDOR_API,
    appUrl = VENDOR_APP,
    deadlineMs = 20_000,
    retryPauseMs = 500,
  } = options;
  const callOptions: CallOptions = { apiUrl, deadlineMs, retryPauseMs, report };
  return {
    ...oauthCalls({ ...callOptions, clientId, clientSecret, appUrl }),
    ...(accessToken === undefined ? { ownKey: undefined } : keyCalls(accessToken)),
    readAccount: key => readAccount(key, callOptions),
    open: access => openAccount(access, callOptions),
    verifyRequest: clientSecret ? (request, now) => verifyRequest(request, clientSecret, now) : undefined,
    contactUrl: ({ portalId, contactId }) => recordUrl(appUrl, portalId, OBJECT_TYPE_IDS.contacts, contactId),
    propertySettingsUrl({ portalId, type }) {
      const url = new URL(`/property-settings/${encodeURIComponent(portalId)}/properties`, appUrl);
      url.search = new URLSearchParams({ type: OBJECT_TYPE_IDS[type] }).toString();
      return url.href;
    },
    taskUrl: ({ portalId, taskId }) => recordUrl(appUrl, portalId, OBJECT_TYPE_IDS.tasks, taskId),
  };
}

/** @param type the vendor's number of the kind of record */
function recordUrl(appUrl: string, portalId: string, type: string, id: string): string {
  const path = ['contacts', portalId, 'record', type, id].map(encodeURIComponent).join('/');
  return new URL(`/${path}`, appUrl).href;
}

function openAccount(access: CrmAccess, options: CallOptions): Crm {
  const call = createCall(access, options);
  const requirements = requirementsOf(access, call);
  const crm: Crm = {
    ...contactCalls(call, requirements),
    ...noteCalls(call, requirements),
    ...taskCalls(call, requirements),
    ...propertyCalls(call),
  };
  return withClientErrors(crm, options.report);
}

/** Turns refusals of the CRM that no caller handled into a ClientError, and reports them to the operator. */
function withClientErrors(crm: Crm, report: CallOptions['report']): Crm {
  const translated = Object.entries(crm).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (method as (...params: unknown[]) => Promise<unknown>)(...args);
      } catch (err) {
        if (!(err instanceof HttpFailure)) throw err;
        report({ code: 'CRM_REFUSED', message: `${name}: ${wordsFor(err)}` });
        throw toClientError(err);
      }
    },
  ]);
  return Object.fromEntries(translated) as Crm;
}

const MAX_WEBHOOK_AGE_MS = 5 * 60_000;

/**
 * The vendor's third signature: https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 * Its own library compares character by character, by the machine's clock, accepts timestamps in the future and those
 * that are no number, and takes the body as text, so we check it ourselves. Throws {@link SignatureRefused}.
 */
function verifyRequest({ method, url, rawBody, headers }: WebhookRequest, secret: string, now: Date): void {
  const { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': timestamp } = headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !signature || !timestamp)
    throw new SignatureRefused('the signature is missing');
  const isRecent = /^\d{1,16}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp)) <= MAX_WEBHOOK_AGE_MS;
  const expected = createHmac('sha256', secret).update(`${method}${url}`).update(rawBody).update(timestamp).digest();
  const received = Buffer.from(signature, 'base64');
  const isSame = received.length === expected.length && timingSafeEqual(received, expected);
  if (!isRecent || !isSame) throw new SignatureRefused('the signature is wrong or old');
}
