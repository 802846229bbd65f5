import { type Response, Router } from 'express';
import { seeOther } from '../../../http/seeOther.ts';
import { NotFound } from '../../../lib/errors.ts';
import { listOffers } from './listOffers.ts';
import { errorsIn, typedIn, withKept } from './rules.ts';
import { getSettings, keepTried } from './service.ts';
import { type ShowDeps, showModels, showSetup } from './showSetup.ts';

const WRITER_STEP = '/setup?change=writer';

/** What can be done with a model before it is chosen: downloading one of the list, trying it, and stopping either. */
export function routeModels(deps: ShowDeps): Router {
  const pages = Router();
  const { modelWork, checks } = deps;

  pages.get('/setup/model', async (_req, res) => await showModels(deps, res));

  pages.post('/setup/model/download', async (req, res) => {
    const { memoryBytes } = checks.machine;
    const offers = listOffers({ memoryBytes, freeDiskBytes: await checks.machine.freeDiskBytes() });
    const offer = offers.find(({ model }) => model === req.body?.model);
    if (!offer) return chooseFirst(res, 'Choose a model to download.');
    modelWork.download(offer);
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/try', async (req, res) => {
    const typed = typedIn('writer', req.body);
    const values = withKept('writer', typed, getSettings(deps));
    const errors = errorsIn('writer', values, { isComplete: true });
    if (Object.keys(errors).length > 0) {
      return showSetup(deps, res, { change: 'writer', attempt: { typed, errors, checks: [] }, status: 400 });
    }
    const { aiUrl = '', model = '', aiKey } = values;
    modelWork.try({ apiUrl: aiUrl, model, apiKey: aiKey || undefined });
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/again', (req, res) => {
    const work = modelWork.now();
    if (work.state === 'cancelled' || work.state === 'failed') {
      if (work.isNew && work.step !== 'try') modelWork.download(work);
      else modelWork.try(work.service);
    }
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/cancel', async (req, res) => {
    modelWork.cancel();
    await modelWork.settled();
    seeOther(req, res, WRITER_STEP);
  });

  pages.post('/setup/model/use', (req, res) => {
    if (!keepTried(deps)) throw new NotFound('trial');
    seeOther(req, res, '/setup');
  });

  const chooseFirst = (res: Response, text: string) =>
    showSetup(deps, res, {
      change: 'writer',
      attempt: { typed: {}, errors: { offer: text }, checks: [] },
      status: 400,
    });

  return pages;
}
