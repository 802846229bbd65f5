import type { IRouter, Request, Response } from 'express';
import type { ReadTyped } from '../../../clients/summarizer/types.ts';
import { toOwnPath, withQuery } from '../../../http/ownPath.ts';
import { hasKeys, type Renderer, seeOther, setFlash } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput } from '../../../http/request.ts';
import { Conflict, InvalidInput } from '../../../lib/errors.ts';
import type { Queued } from '../../../lib/queue.ts';
import { toPromiseTitle } from '../../digests/quoteSource.ts';
import { formFields, type NamedChoice, presentAddForm, presentChoices, presentEditForm } from '../present.ts';
import { findEditedFields, formToInput, prefillForm } from '../rules.ts';
import * as schema from '../schema.ts';
import { addPromise, editPromise, getChoices, getPromiseToEdit, parseTypedPromise } from '../service.ts';
import { showsDecision } from './schema.ts';

type Deps = Queued & { readTyped: ReadTyped; render: Renderer };

/** The pages that add a promise of one's own, first as a line and then field by field, and that edit one. */
export function routeEdits(pages: IRouter, deps: Deps): void {
  pages.get('/promises/new', async (req, res) => {
    const query = schema.addQuery.parse(req.query);
    const userId = currentUser(req).id;
    const choices = presentChoices(await getChoices(deps, { userId, dialogId: query.dialog }));
    if (query.text === undefined || choices.length === 0) return showLine(deps, req, res, { query, choices });
    try {
      const { text } = parseInput(schema.readInput, { text: query.text });
      const read = await parseTypedPromise(deps, { userId, text });
      showAdd(deps, req, res, { typed: prefillForm(read, { ...query, text, choices }), choices, errors: {} });
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      showLine(deps, req, res, { query, choices, errors: err.fields });
    }
  });

  pages.post('/promises/new', async (req, res) => {
    const userId = currentUser(req).id;
    const typed = parseInput(schema.addForm, req.body);
    try {
      const added = await addPromise(deps, { userId, ...parseInput(schema.addInput, formToInput(typed)) });
      redirectBack(req, res, typed.back, 'Added', added);
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      const choices = presentChoices(await getChoices(deps, { userId }));
      showAdd(deps, req, res, { typed, choices, errors: err.fields });
    }
  });

  pages.get('/promises/:id/edit', async (req, res) => {
    const { back } = schema.editQuery.parse(req.query);
    const { promise, isClosed } = await getPromiseToEdit(deps, toPromiseKey(req));
    const fields = formFields(promise);
    showEdit(deps, req, res, { promise, typed: { ...fields, shown: fields, back }, isClosed });
  });

  pages.post('/promises/:id/edit', async (req, res) => {
    const typed = parseInput(schema.editForm, req.body);
    const { promise, isClosed } = await getPromiseToEdit(deps, toPromiseKey(req));
    if (isClosed) return showEdit(deps, req, res, { promise, typed, isRefused: true });
    try {
      const edit = parseInput(schema.editInput, findEditedFields(typed, typed.shown ?? formFields(promise)));
      if (Object.keys(edit).length === 0) return seeOther(req, res, resolveReturnPath(req, typed.back));
      const edited = await editPromise(deps, { ...toPromiseKey(req), edit });
      redirectBack(req, res, typed.back, 'Saved', edited);
    } catch (err) {
      if (err instanceof InvalidInput) showEdit(deps, req, res, { promise, typed, errors: err.fields });
      else if (err instanceof Conflict) showEdit(deps, req, res, { promise, typed, isRefused: true });
      else throw err;
    }
  });
}

const toPromiseKey = (req: Request) => ({ userId: currentUser(req).id, promiseId: String(req.params.id) });

function resolveReturnPath(req: Request, back: string | undefined): string {
  return toOwnPath(back, req.get('host')) ?? '/promises';
}

/** Redirects to the previous page, which reports the outcome. */
function redirectBack(req: Request, res: Response, back: string | undefined, title: string, promise: schema.UserPromise) {
  const path = resolveReturnPath(req, back);
  if (showsDecision(path)) return seeOther(req, res, withQuery(path, 'changed', promise.id));
  setFlash(req, { tone: 'ok', title, text: toPromiseTitle(promise) });
  seeOther(req, res, path);
}

const hasErrors = (errors: Record<string, string>) => Object.keys(errors).length > 0;
const ADD_TITLE = 'Add a promise';
const asTitle = (title: string, errors: Record<string, string>) => (hasErrors(errors) ? `Error: ${title}` : title);

type LineForm = { query: schema.AddQuery; choices: NamedChoice[]; errors?: Record<string, string> };

/** The first step: a line as it is said, and with whom. */
function showLine(deps: Deps, req: Request, res: Response, { query: wanted, choices, errors = {} }: LineForm) {
  const { text = '', dialog, messages } = wanted;
  const shown = choices.map(choice => ({ ...choice, isChosen: choice.id === dialog }));
  const line = { text, errors, choices: shown, messages: messages.join(',') };
  const data = { line, back: resolveReturnPath(req, wanted.back), keys: hasKeys(req) };
  const status = hasErrors(errors) ? 400 : 200;
  deps.render.page(res, 'promiseEdits/add/index', data, { title: asTitle(ADD_TITLE, errors), nav: 'promises', status });
}

type Adding = { typed: schema.AddForm; choices: NamedChoice[]; errors: Record<string, string> };

/** Second step: the fields as read, to correct. */
function showAdd(deps: Deps, req: Request, res: Response, { typed, choices, errors }: Adding) {
  const back = resolveReturnPath(req, typed.back);
  const form = presentAddForm(typed, choices, errors, back);
  const status = hasErrors(errors) ? 400 : 200;
  if (isHtmx(req)) return deps.render.fragment(res, 'shared/promise/_form', form, status);
  const data = { form, back, keys: hasKeys(req) };
  deps.render.page(res, 'promiseEdits/add/index', data, { title: asTitle(ADD_TITLE, errors), nav: 'promises', status });
}

type Editing = {
  promise: schema.UserPromise;
  typed: schema.EditForm;
  errors?: Record<string, string>;
  /** Opened for a closed promise: there is nothing to edit. */
  isClosed?: boolean;
  /** Closed meanwhile; keeps the typed text. */
  isRefused?: boolean;
};

function showEdit(deps: Deps, req: Request, res: Response, editing: Editing) {
  const { promise, typed, errors = {}, isClosed = false, isRefused = false } = editing;
  const back = resolveReturnPath(req, typed.back);
  const shown = typed.shown ?? formFields(promise);
  const form = presentEditForm(promise, { typed, shown, errors, back, isRefused });
  const formStatus = hasErrors(errors) ? 400 : 200;
  const status = isClosed || isRefused ? 409 : formStatus;
  if (isHtmx(req)) return deps.render.fragment(res, 'shared/promise/_form', form, status);
  const data = { form, back, isClosed, keys: hasKeys(req) };
  const title = asTitle('Edit a promise', errors);
  deps.render.page(res, 'promiseEdits/edit/index', data, { title, nav: 'promises', status });
}
