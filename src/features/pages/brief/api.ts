import type { IRouter } from 'express';
import type { z } from 'zod';
import { currentUser, parseInput, requireUser } from '../../../http/request.ts';
import { briefInput, type briefJson } from './schema.ts';
import { type DescribeDeps, type DescribedBrief, describeBrief } from './service.ts';

export function briefApi(api: IRouter, deps: DescribeDeps): void {
  api.get('/api/brief', requireUser, async (req, res) => {
    const { dialogId, sentences } = parseInput(briefInput, req.query);
    const about = { userId: currentUser(req).id, dialogId, writes: sentences === 'true' };
    res.json(toJson(await describeBrief(deps, about)));
  });
}

function toJson(brief: DescribedBrief): z.output<typeof briefJson> {
  const { id, name, about, written, colleagues, lists, facts, weeks, sources, text } = brief;
  const owed = (key: (typeof lists)[number]['key']) =>
    (lists.find(list => list.key === key)?.rows ?? []).map(({ id: promiseId, words, who, due, source }) => ({
      promiseId,
      words,
      who,
      due: `${due.due}${due.time}`,
      source,
    }));
  return {
    dialogId: id,
    name,
    about,
    colleagues: colleagues.map(colleague => colleague.name),
    sentences: written?.sentences ?? [],
    promises: {
      mine: owed('mine'),
      theirs: owed('theirs'),
      unassigned: owed('unassigned'),
      perhapsSettled: owed('perhapsSettled'),
      kept: owed('kept'),
    },
    facts: facts.map(({ kind, words, date, source }) => ({ kind, words, day: date, source })),
    weeks: weeks.map(({ week, lines }) => ({
      week,
      lines: lines.map(({ words, date, source }) => ({ words, day: date, source })),
    })),
    sources,
    text,
  };
}
