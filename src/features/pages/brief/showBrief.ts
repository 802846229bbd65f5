import type { Request, Response } from 'express';
import { hasKeys } from '../../../http/browserChoices.ts';
import type { Renderer } from '../../../http/render.ts';
import type { DescribedBrief } from './describeBrief.ts';

/** Renders the page. @param isAskedNow the model was asked for this request, and is not asked by the page again */
export function showBrief(
  { render }: { render: Renderer },
  req: Request,
  res: Response,
  { isAskedNow = false, ...shown }: DescribedBrief & { isAskedNow?: boolean },
): void {
  const data = { ...shown, isAskedNow, keys: hasKeys(req) };
  render.page(res, 'brief/index', data, { title: `Brief: ${shown.name}`, nav: 'today' });
}
