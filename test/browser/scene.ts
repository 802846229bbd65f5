import type { Page } from 'playwright-core';
import { PEOPLE, type Stage } from './stage.ts';

/** A page in a state: who looks at it, what is done before and on it, and which errors the browser may tell of. */
export type Scene = {
  name: string;
  /** Default: someone with a full account. Null: no one is signed in. */
  who?: string | null;
  /** Of the service, or a whole address. */
  path: string | ((stage: Stage) => string | Promise<string>);
  before?(stage: Stage): Promise<unknown>;
  act?(page: Page, stage: Stage): Promise<unknown>;
  after?(stage: Stage): Promise<unknown>;
  expects?: RegExp;
  /** Stands within a page of others, which has the landmarks. */
  isPart?: boolean;
  /** Its long lists were judged whole in another scene: here only their first entries are, and the one the address names. */
  abridged?: boolean;
};

/** The first button of this name that can be seen. */
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).locator('visible=true').first().click();
/** What is stored of the messenger account with which anything may be wrong. */
export const account = (fields: object) => async (stage: Stage) =>
  stage.service
    .db('messenger_accounts')
    .where({ user_id: await stage.idOf(PEOPLE.unlucky) })
    .update(fields);
/** What is stored of the CRM connection. */
export const connection = (fields: object) => async (stage: Stage) =>
  stage.service
    .db('crm_connections')
    .where({ user_id: await stage.idOf(PEOPLE.regular) })
    .update(fields);

/** Leaves the first entries of long lists, and the one the address names. Returns how many it took away. */
export const abridge = (page: Page, kept = 3) =>
  page.evaluate<number>(`(() => {
    const later = ':nth-child(n + ${kept + 1}):not(:target)';
    const lists = ['.digest', '.rows > li', '.conversations > li', '.prom', '.line', '.closed', '.quotes > li'].map(entry => 'main ' + entry + later);
    const entries = document.querySelectorAll(lists.join(', '));
    for (const entry of entries) entry.remove();
    return entries.length;
  })()`);
