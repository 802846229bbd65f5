import { type Request, Router } from 'express';
import type { Pages } from '../pages/pages.ts';
import { changedEngagement } from './engagements.ts';
import { presentTask } from './presentTask.ts';
import type { CrmRecord } from './records.ts';
import { type CrmState, findRecord, type Portal } from './state.ts';

/** As in the vendor's own addresses. */
const RECORD = '/contacts/:portalId/record/0-27/:id';

const NO_TASK = { problem: 'There is no such task. It may have been deleted.' };
const STATUS = { complete: 'COMPLETED', reopen: 'NOT_STARTED' } as const;

/** A task, and what a person does with it there: complete it, open it again, delete it. */
export function taskPages(state: CrmState, { render, showProblem }: Pages): Router {
  const pages = Router();

  pages.get(RECORD, (req, res) => {
    const { portal, task } = asked(req);
    if (!portal || !task) return showProblem(res, 404, NO_TASK);
    res.send(render('task', presentTask(portal, task)));
  });

  for (const verb of ['complete', 'reopen'] as const) {
    pages.post(`${RECORD}/${verb}`, (req, res) => {
      const { portal, task } = asked(req);
      if (!portal || !task) return showProblem(res, 404, NO_TASK);
      state.save([changedEngagement({ state, portal }, 'tasks', task, { hs_task_status: STATUS[verb] })]);
      res.redirect(303, `/contacts/${portal.id}/record/0-27/${task.id}`);
    });
  }

  pages.post(`${RECORD}/delete`, (req, res) => {
    const { portal, task } = asked(req);
    if (!portal || !task) return showProblem(res, 404, NO_TASK);
    state.save([{ ...task, archivedAt: state.now() }]);
    const [contactId] = task.contactIds;
    res.redirect(303, contactId ? `/contacts/${portal.id}/record/0-1/${contactId}` : `/?account=${portal.id}`);
  });

  function asked(req: Request): { portal: Portal | undefined; task: CrmRecord | undefined } {
    const portal = state.portals.get(String(req.params.portalId));
    return { portal, task: portal && findRecord(portal, 'tasks', String(req.params.id)) };
  }

  return pages;
}
