import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { type Renderer, seeOther } from '../../../http/render.ts';
import { currentUser, fieldErrors, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import { zonesWith } from '../../base/settings/present.ts';
import { settingsInput } from '../../base/settings/schema.ts';
import { changeSwitches } from '../../crm/service.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import { getActiveChoices } from '../../messenger/consent/service.ts';
import { presentGroups, presentStart } from './present.ts';
import { setCrmLater } from './repo.ts';
import { finishStart, getStart, needsFirstSteps, proposeTime, type StartDeps } from './service.ts';

type Deps = StartDeps & { render: Renderer; aiService: AiService | undefined };

const switchForm = z.object({ sureMatchesWrite: z.enum(['true', 'false']).transform(value => value === 'true') });

/** Form values are text; ignored if the step is postponed. */
const timeForm = z.object({
  syncTime: z.string().catch(''),
  timezone: z.string().catch(''),
  dailyMail: z.literal('on').optional().catch(undefined),
  later: z.literal('on').optional().catch(undefined),
});
const timeInput = settingsInput.pick({ syncTime: true, timezone: true });

type OnboardingForm = { syncTime: string; timezone: string; dailyMail: boolean };

/** Onboarding: three steps, each derived from the data, so that it resumes where it was left. */
export function onboardingPages(pages: IRouter, deps: Deps): void {
  pages.get('/', requireUser, async (req, res) => {
    res.redirect(302, (await needsFirstSteps(deps, { userId: currentUser(req).id })) ? '/start' : '/today');
  });

  pages.get('/start', requireUser, (req, res) => showStart(deps, req, res));

  pages.post('/start/crm', requireUser, async (req, res) => {
    const switches = parseInput(switchForm, req.body);
    await changeSwitches(deps, { userId: currentUser(req).id, switches });
    await showAgain(deps, req, res);
  });

  pages.post('/start/crm-later', requireUser, async (req, res) => {
    await setCrmLater(deps.db, currentUser(req).id, deps.clock.now());
    await showAgain(deps, req, res);
  });

  pages.post('/start/time', requireUser, async (req, res) => {
    const { later, dailyMail: mail, ...time } = timeForm.parse(req.body ?? {});
    const dailyMail = mail === 'on';
    try {
      const choice = later ? undefined : { changes: parseInput(timeInput, time), dailyMail };
      await finishStart(deps, { userId: currentUser(req).id, choice });
      seeOther(req, res, '/today');
    } catch (err) {
      await showStart(deps, req, res, { typed: { ...time, dailyMail }, errors: fieldErrors(err), status: 400 });
    }
  });
}

async function showAgain(deps: Deps, req: Request, res: Response) {
  if (isHtmx(req)) await showStart(deps, req, res);
  else res.redirect(303, '/start');
}

type RefusedForm = { typed: OnboardingForm; errors: Record<string, string>; status: number };

async function showStart(deps: Deps, req: Request, res: Response, refused?: RefusedForm) {
  const user = currentUser(req);
  const owner = { userId: user.id };
  if (!(await needsFirstSteps(deps, owner))) return seeOther(req, res, '/today');
  const start = await getStart(deps, owner);
  const now = deps.clock.now();
  const { isGuess, ...time } = proposeTime(start.config, { language: req.acceptsLanguages()[0] ?? '', now });
  const { errors = {}, status = 200, typed = { ...time, dailyMail: true } } = refused ?? {};
  const view = presentStart(start);
  const title = refused ? `Error: ${view.title}` : view.title;
  const zones = zonesWith(typed.timezone, now);
  const mailTo = start.hasMail ? user.email : '';
  const groups = presentGroups(start, { now, choices: await getActiveChoices(deps, owner), aiService: deps.aiService });
  const data = { ...view, groups, pageTitle: title, typed, errors, zones, guessesZone: isGuess && !refused, mailTo };
  if (isHtmx(req)) deps.render.fragment(res, 'onboarding/_steps', data, status);
  else deps.render.page(res, 'onboarding/index', data, { title, status });
}
