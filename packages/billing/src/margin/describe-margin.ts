import { nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import { asCsvText, toCsv } from '../csv';
import { type MarginReport, type MarginSums, marginNano } from './read-margin';

/** Exact, and empty where it is not known. */
const TEXTS = {
  tasks: ({ tasks }) => String(tasks),
  completed: ({ completed }) => String(completed),
  failed: ({ failed }) => String(failed),
  charged: ({ chargedNano }) => nanoToDecimal(chargedNano),
  refunded: ({ refundedNano }) => nanoToDecimal(refundedNano),
  cost: ({ costNano }) => nanoToDecimal(costNano),
  cost_unknown: ({ costUnknown }) => String(costUnknown),
  margin: (sums) => {
    const margin = marginNano(sums);
    return margin === null ? '' : nanoToDecimal(margin);
  },
  units: ({ units = new Map() }) =>
    [...units].map(([unit, quantity]) => `${unit}=${nanoToDecimal(quantity)}`).join(' '),
} satisfies Record<string, (sums: MarginSums) => string>;
export type MarginColumn = keyof typeof TEXTS;
/** All columns but `units`, which is there when it is asked for. */
export const MARGIN_COLUMNS = (Object.keys(TEXTS) as MarginColumn[]).filter((name) => name !== 'units');

/** As answers show it: a field for each group, then the sums, amounts in currency units. */
export function marginAsJson({ groupBy, rows, total }: MarginReport) {
  return {
    data: rows.map(({ values, ...sums }) => ({
      ...Object.fromEntries(groupBy.map((name, index) => [name, values[index] ?? null])),
      ...sumsAsJson(sums),
    })),
    total: sumsAsJson(total),
  };
}

function sumsAsJson(sums: MarginSums) {
  const margin = marginNano(sums);
  return {
    tasks: sums.tasks,
    completed: sums.completed,
    failed: sums.failed,
    charged: nanoToNumber(sums.chargedNano),
    refunded: nanoToNumber(sums.refundedNano),
    cost: nanoToNumber(sums.costNano),
    cost_unknown: sums.costUnknown,
    margin: margin === null ? null : nanoToNumber(margin),
    ...(sums.units && { units: unitsAsJson(sums.units) }),
  };
}

function unitsAsJson(units: ReadonlyMap<string, bigint>): Record<string, number> {
  return Object.fromEntries([...units].map(([unit, quantity]) => [unit, nanoToNumber(quantity)]));
}

/** A line for each group under a line of names. */
export function marginAsCsv(
  { groupBy, rows, timezone }: MarginReport & { timezone?: string | undefined },
  columns: readonly MarginColumn[] = MARGIN_COLUMNS,
  asText: (value: string) => string = asCsvText,
): string {
  const lines = rows.map(({ values, ...sums }) => [
    ...values.map((value) => asText(value ?? '')),
    ...sumsAsText(sums, columns),
  ]);
  return toCsv([...groupBy, ...columns], lines, timezone);
}

export function sumsAsText(sums: MarginSums, columns: readonly MarginColumn[] = MARGIN_COLUMNS): string[] {
  return columns.map((name) => TEXTS[name](sums));
}
