import { expect } from 'chai';
import type { Agent } from './people.ts';

/** The text of a page without its markup, on one line. */
export function wordsOf(html: string): string {
  const body = html.replace(/^[\s\S]*<main/, '<main').replace(/<(script|style)[\s\S]*?<\/\1>/g, '');
  return body
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Markup without line breaks: how a view is indented is not a matter for a test. */
export function compact(html: string): string {
  return html
    .replace(/\s*\n\s*/g, '\n')
    .replace(/(?<=[<>])\n|\n(?=[<>])/g, '')
    .replace(/[ \n]+>/g, '>')
    .replaceAll('\n', ' ');
}

/** A form of a page, sent as a browser without JavaScript does. */
export function post(agent: Agent, path: string, form: Record<string, string> = {}) {
  return agent.post(path).type('form').send(form);
}

/** The same form sent by htmx. */
export function htmxPost(agent: Agent, path: string, form: Record<string, string> = {}) {
  return post(agent, path, form).set('HX-Request', 'true');
}

/** Expects a page to work under the CSP as it is. */
export function expectNothingInline(html: string): void {
  expect(html).not.to.match(/<script(?![^>]*\ssrc=)|<style|\sstyle="|\son[a-z]+="|hx-on|js:/i);
}

/** The headline of Today and of a week. */
export function headlineOf(html: string): string {
  return wordsOf(html.match(/<h1 id="headline">([^<]*)/)?.[1] ?? '');
}

/** The list of this id, '' where the page has none. */
export function listOf(html: string, id: string): string {
  return compact(html).match(new RegExp(`<section class="group[^"]*" id="${id}".*?</section>`))?.[0] ?? '';
}

/** The words of the promises that are listed as open. */
export function promisesIn(html: string): string[] {
  return [...html.matchAll(/id="w-[^"]*" dir="auto">([^<]*)</g)].map(([, words = '']) => words);
}
