import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;
const SHORTER = 40;
/** Several scrapes have to fit in. */
const LEAST_SECONDS = 12;
const MOST_SECONDS = 90;

/** The shipped rules with shorter ranges, and firing as soon as what they say is true. Thresholds stay what they are. */
export function shortenedRules(): { alerts: string[]; text: string } {
  const shipped: { groups: { name: string; rules: Rule[] }[] } = parse(
    readFileSync(join(__dirname, '../../deploy/helm/mediagate/files/alerts.yaml'), 'utf8'),
  );
  const groups = shipped.groups.map((group) => ({ ...group, rules: group.rules.map(shorten) }));
  return {
    alerts: groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)),
    text: JSON.stringify({ groups }),
  };
}

function shorten({ for: _, expr, ...rule }: Rule): Rule {
  return { ...rule, expr: expr.replace(/\[(\d+)([smh])\]/g, (_range, count, unit) => `[${shorter(count, unit)}s]`) };
}

function shorter(count: string, unit: keyof typeof SECONDS): number {
  const seconds = (Number(count) * SECONDS[unit]) / SHORTER;
  return Math.round(Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS));
}
