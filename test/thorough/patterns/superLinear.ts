import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { getConsumedChars, hasSomeAncestor, isPotentiallyEmpty, type ReadonlyFlags } from 'regexp-ast-analysis';
import { analyse } from 'scslre';
import type { Pattern } from './collected.ts';

/** What makes a pattern take more than a time linear in the text, in words; [] for a pattern that is safe. */
export function superLinear({ source, flags }: Pattern): string[] {
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
  const within = reports.flatMap(report => {
    if (report.type === 'Move') return [];
    const quantifiers = report.type === 'Self' ? [report.quant] : [report.startQuant, report.endQuant];
    return [`${quantifiers.map(({ raw }) => raw).join(' and ')} share what they match`];
  });
  return [...within, ...restarts(source, flags)];
}

/**
 * Unbounded quantifiers inside whose run the search can begin again: `a+b` on a text of a's, `kod\w*x` on "kodkodkod".
 * Safe is one that what must stand before it keeps from its own run, or behind which nothing can fail.
 */
function restarts(source: string, flags: string): string[] {
  if (flags.includes('y')) return [];
  const { pattern, flags: parsed } = new RegExpParser().parseLiteral(`/${source}/${flags}`);
  return unboundedIn(pattern)
    .filter(quantifier => !isSafe(quantifier, parsed))
    .map(({ raw }) => `the search may begin again inside ${raw.slice(0, 80)}`);
}

function unboundedIn(node: AST.Node): AST.Quantifier[] {
  const inner = 'alternatives' in node ? node.alternatives : 'elements' in node ? node.elements : [];
  const below =
    node.type === 'Quantifier' ? unboundedIn(node.element) : inner.flatMap(child => unboundedIn(child as AST.Node));
  return node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY ? [node, ...below] : below;
}

function isSafe(quantifier: AST.Quantifier, flags: ReadonlyFlags): boolean {
  // What looks back is matched backward, at every place anew.
  if (hasSomeAncestor(quantifier, node => node.type === 'Assertion' && node.kind === 'lookbehind')) return false;
  const run = getConsumedChars(quantifier.element, flags).chars;
  let mayFail = false;
  let node: AST.Node = quantifier;
  for (;;) {
    const parent: AST.Node | null = node.parent;
    if (!parent) return !mayFail;
    if (parent.type === 'Alternative') {
      const at = parent.elements.indexOf(node as AST.Element);
      const [before, after] = [parent.elements.slice(0, at), parent.elements.slice(at + 1)];
      if (before.some(element => keepsOut(element, run, flags))) return true;
      mayFail ||= after.some(element => !isPotentiallyEmpty(element, flags));
    }
    // Which place a lookaround refuses is not followed up: it counts as one that may.
    mayFail ||= parent.type === 'Assertion';
    node = parent;
  }
}

type Chars = ReturnType<typeof getConsumedChars>['chars'];

/** Whether this element, matched before the run, can't be matched inside it. */
function keepsOut(element: AST.Element, run: Chars, flags: ReadonlyFlags): boolean {
  switch (element.type) {
    case 'Assertion':
      return assertionKeepsOut(element, run, flags);
    case 'Quantifier':
      return element.min > 0 && keepsOut(element.element, run, flags);
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.every(({ elements }) => elements.some(one => keepsOut(one, run, flags)));
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return getConsumedChars(element, flags).chars.isDisjointWith(run);
    default:
      return false;
  }
}

function assertionKeepsOut(assertion: AST.Assertion, run: Chars, flags: ReadonlyFlags): boolean {
  if (assertion.kind === 'start') return !flags.multiline || !run.has(10);
  if (assertion.kind === 'word') return !assertion.negate && run.isSubsetOf(charsOf('\\w', flags));
  if (assertion.kind !== 'lookbehind') return false;
  if (assertion.negate) {
    // Only an alternative of a single character refuses every place behind that character.
    return assertion.alternatives.some(
      ({ elements: [only, ...others] }) =>
        only !== undefined &&
        others.length === 0 &&
        isOneCharacter(only) &&
        run.isSubsetOf(getConsumedChars(only, flags).chars),
    );
  }
  return assertion.alternatives.every(({ elements }) => {
    const last = elements.at(-1);
    return last !== undefined && keepsOut(last, run, flags);
  });
}

function isOneCharacter({ type }: AST.Element): boolean {
  return type === 'Character' || type === 'CharacterSet' || type === 'CharacterClass';
}

function charsOf(source: string, { unicode }: ReadonlyFlags): Chars {
  const { pattern, flags } = new RegExpParser().parseLiteral(`/${source}/${unicode ? 'u' : ''}`);
  return getConsumedChars(pattern, flags).chars;
}
