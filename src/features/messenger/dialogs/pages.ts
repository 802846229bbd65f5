import type { IRouter } from 'express';
import { toOwnPath, withQuery } from '../../../http/ownPath.ts';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import type { Db } from '../../../lib/db.ts';
import { presentProminence, presentToast, prominenceWords } from './present.ts';
import { prominenceForm } from './schema.ts';
import { setProminence } from './service.ts';

/** Pinning and muting a conversation, for every page that shows the buttons. */
export function prominencePages(pages: IRouter, deps: { db: Db; render: Renderer }): void {
  pages.post('/conversations/:id/prominence', requireUser, async (req, res) => {
    const { choice, back, from } = parseInput(prominenceForm, req.body);
    const change = { userId: currentUser(req).id, dialogId: String(req.params.id), prominence: choice };
    const { dialog, before } = await setProminence(deps, change);
    const here = toOwnPath(back, req.get('host')) ?? `/conversations/${dialog.id}`;
    if (!isHtmx(req)) return res.redirect(303, from ? here : withQuery(here, 'was', `${dialog.id}.${before}`));
    const toast = presentToast(dialog, before);
    deps.render.fragment(res, 'shared/prominence/_changed', {
      ...presentProminence(dialog),
      back: here,
      words: prominenceWords(dialog),
      keys: hasKeys(req),
      // Elsewhere a key applies to the row in which it is pressed.
      hasKey: here.startsWith('/conversations/'),
      // An undo can't be undone.
      done: from ? undefined : toast,
      say: toast?.words ?? '',
      pressed: choice === 'normal' ? before : choice,
    });
  });
}
