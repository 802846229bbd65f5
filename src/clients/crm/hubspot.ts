import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureRefused } from '../errors.ts';
import { type CallOptions, createCall } from './hubspot/calls.ts';
import { createContactCalls } from './hubspot/contacts.ts';
import { createNoteCalls, findRecords } from './hubspot/engagements.ts';
import { describeCallError, HttpFailure, toClientError } from './hubspot/failures.ts';
import { createKeyCalls, createOauthCalls, readAccount } from './hubspot/oauth.ts';
import { createPropertyCalls } from './hubspot/properties.ts';
import { createRequirements } from './hubspot/requirements.ts';
import { createTaskCalls } from './hubspot/tasks.ts';
import type { Crm, CrmAccess, CrmClient, CrmObject, CrmReport, WebhookRequest } from './types.ts';

export type HubspotOptions = {
  /** The credentials of the app that people sign in to, or the key of one account. */
  clientId?: string;
  clientSecret?: string;
  accessToken?: string | undefined;
  report: (failure: CrmReport) => void;
  /** Base URLs of the API and of the CRM's pages, if not the vendor's. */
  apiUrl?: string | undefined;
  appUrl?: string | undefined;
  /** Milliseconds: deadline of an answer, and delay before the first retry. */
  deadlineMs?: number;
  retryPauseMs?: number;
};

const VENDOR_API = 'https://api.hubapi.com';
const VENDOR_APP = 'https://app.hubspot.com';

/** The vendor's object type ids: https://developers.hubspot.com/docs/api-reference/latest/crm/understanding-the-crm */
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
    ...createOauthCalls({ ...callOptions, clientId, clientSecret, appUrl }),
    ...(accessToken === undefined ? { ownKey: undefined } : createKeyCalls(accessToken)),
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

/** @param type the vendor's object type id, such as `0-1` */
function recordUrl(appUrl: string, portalId: string, type: string, id: string): string {
  const path = ['contacts', portalId, 'record', type, id].map(encodeURIComponent).join('/');
  return new URL(`/${path}`, appUrl).href;
}

function openAccount(access: CrmAccess, options: CallOptions): Crm {
  const call = createCall(access, options);
  const requirements = createRequirements(access, call);
  const crm: Crm = {
    ...createContactCalls(call, requirements),
    ...createNoteCalls(call, requirements),
    ...createTaskCalls(call, requirements),
    findRecords: (type, lookups) => findRecords(call, type, lookups),
    ...createPropertyCalls(call),
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
        report({ code: 'CRM_REFUSED', message: `${name}: ${describeCallError(err)}` });
        throw toClientError(err);
      }
    },
  ]);
  return Object.fromEntries(translated) as Crm;
}

const MAX_WEBHOOK_AGE_MS = 5 * 60_000;

/**
 * The vendor's third signature: https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 * We check it ourselves: the vendor's library doesn't compare in constant time, uses the machine's clock, accepts future
 * and non-numeric timestamps, and takes the body as text. Throws {@link SignatureRefused}.
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
