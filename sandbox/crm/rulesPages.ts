import { type Request, Router, urlencoded } from 'express';
import { z } from 'zod';
import type { Pages } from '../pages/pages.ts';
import { refuseAssociations, releaseProperty, requireProperty } from './administration.ts';
import type { ObjectType } from './records.ts';
import type { CrmState, Portal } from './state.ts';

/** As in the vendor's own addresses. */
const SETTINGS = '/property-settings/:portalId/properties';

/** The vendor's numbers of the kinds of records. */
const TYPES: Record<string, ObjectType> = { '0-1': 'contacts', '0-46': 'notes', '0-27': 'tasks' };
const asked = z.object({ type: z.enum(Object.keys(TYPES)).catch('0-1') });

const name = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_]{0,99}$/);
const text = z.string().trim().max(200).default('');
const requireForm = z.object({ name, label: text, options: text });
const releaseForm = z.object({ name });
const associationsForm = z.object({ refused: z.enum(['true', 'false']) });

/** What the account's administrator decides: which properties are required, and who may edit associations. */
export function rulesPages(state: CrmState, { render, showProblem }: Pages): Router {
  const pages = Router();
  const readForm = urlencoded({ extended: false });

  pages.get(SETTINGS, (req, res) => {
    const portal = portalOf(req);
    if (!portal) return showProblem(res, 404, { problem: 'There is no such account.' });
    res.send(render('rules', presentRules(portal, asked.parse(req.query).type)));
  });

  const posting = <S extends z.ZodType>(
    verb: string,
    form: S,
    act: (portal: Portal, type: ObjectType, filled: z.output<S>) => void,
  ) =>
    pages.post(`${SETTINGS}/${verb}`, readForm, (req, res) => {
      const portal = portalOf(req);
      const { type } = asked.parse(req.query);
      const filled = form.safeParse(req.body ?? {});
      if (!portal) return showProblem(res, 404, { problem: 'There is no such account.' });
      if (!filled.success) return showProblem(res, 400, { problem: 'Enter the internal name: a to z, digits and _.' });
      act(portal, TYPES[type] ?? 'contacts', filled.data);
      res.redirect(303, `/property-settings/${portal.id}/properties?type=${type}`);
    });

  posting('require', requireForm, (portal, type, { options, ...about }) => {
    const values = options.split(',').map(option => option.trim());
    requireProperty(state, portal, { type, ...about, options: values.filter(option => option !== '') });
  });
  posting('release', releaseForm, (portal, type, about) => releaseProperty(state, portal, { type, ...about }));
  posting('associations', associationsForm, (portal, _type, { refused }) =>
    refuseAssociations(state, portal, refused === 'true'),
  );

  function portalOf(req: Request): Portal | undefined {
    return state.portals.get(String(req.params.portalId));
  }

  return pages;
}

function presentRules(portal: Portal, chosen: string) {
  const type = TYPES[chosen] ?? 'contacts';
  const path = `/property-settings/${portal.id}/properties`;
  const properties = [...portal.properties[type].values()].filter(({ isReadOnly }) => !isReadOnly);
  return {
    portal: { id: portal.id, name: portal.name },
    type,
    path,
    query: `?type=${chosen}`,
    types: Object.entries(TYPES).map(([id, label]) => ({ href: `${path}?type=${id}`, label, isCurrent: id === chosen })),
    properties: properties.map(({ name, label }) => ({ name, label })),
    required: portal.rules.required
      .filter(one => one.type === type)
      .map(({ name, when }) => ({ name, label: portal.properties[type].get(name)?.label ?? name, when })),
    refusesAssociations: portal.rules.refusesAssociations,
  };
}
