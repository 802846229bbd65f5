import { Router } from 'express';
import type { z } from 'zod';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { parseInput } from '../../http/input.ts';
import { presentBrief } from './present.ts';
import { briefInput, type briefJson } from './schema.ts';
import { type BriefDeps, getBrief } from './service.ts';

export function briefApi(deps: BriefDeps): Router {
  const api = Router();

  api.get('/api/brief', requireUser, async (req, res) => {
    const { dialogId } = parseInput(briefInput, req.query);
    res.json(toJson(presentBrief(await getBrief(deps, { userId: currentUser(req).id, dialogId }))));
  });

  return api;
}

type Shown = ReturnType<typeof presentBrief>;

function toJson({
  id,
  name,
  about,
  colleagues,
  lists,
  facts,
  weeks,
  sources,
  text,
}: Shown): z.output<typeof briefJson> {
  const owed = (key: Shown['lists'][number]['key']) =>
    (lists.find(list => list.key === key)?.rows ?? []).map(({ id: promiseId, words, who, due, source }) => ({
      ...{ promiseId, words, who, due: `${due.due}${due.time}`, source },
    }));
  return {
    ...{ dialogId: id, name, about, colleagues: colleagues.map(one => one.name) },
    promises: { mine: owed('mine'), theirs: owed('theirs'), unassigned: owed('unassigned'), kept: owed('kept') },
    facts: facts.map(({ kind, words, date, source }) => ({ kind, words, day: date, source })),
    weeks: weeks.map(({ week, lines }) => ({
      week,
      lines: lines.map(({ words, date, source }) => ({ words, day: date, source })),
    })),
    ...{ sources, text },
  };
}
