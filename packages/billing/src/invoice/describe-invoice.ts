import { nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import { asCsvText, toCsv } from '../csv';
import type { Invoice } from './read-invoice';

/** As answers show it: amounts in currency units, quantities in what the unit's price is for. */
export function invoiceAsJson(invoice: Invoice) {
  return {
    account_id: invoice.accountId,
    month: invoice.month,
    timezone: invoice.timezone,
    final: invoice.isFinal,
    opening_balance: nanoToNumber(invoice.openingNano),
    payments: nanoToNumber(invoice.paymentsNano),
    adjustments: nanoToNumber(invoice.adjustmentsNano),
    refunds: nanoToNumber(invoice.refundsNano),
    charges: nanoToNumber(invoice.chargesNano),
    closing_balance: nanoToNumber(invoice.closingNano),
    lines: invoice.lines.map(({ model, tasks, chargedNano, units }) => ({
      model,
      tasks,
      charged: nanoToNumber(chargedNano),
      units: Object.fromEntries(units.map(({ unit, quantity }) => [unit, nanoToNumber(quantity)])),
    })),
  };
}

const CSV_NAMES = ['line', 'model', 'unit', 'quantity', 'tasks', 'amount'];

/** A line for each of them under a line of names, exact. `amount`s from the first to the last but one add up to the last. */
export function invoiceAsCsv(invoice: Invoice): string {
  return toCsv(CSV_NAMES, [...invoiceCells(invoice)], invoice.timezone === 'UTC' ? undefined : invoice.timezone);
}

/** A charge is below zero, and the lines of its units follow it. */
export function* invoiceCells(invoice: Invoice): Generator<string[]> {
  const total = (line: string, nano: bigint) => [line, '', '', '', '', nanoToDecimal(nano)];
  yield total('opening_balance', invoice.openingNano);
  yield total('payments', invoice.paymentsNano);
  yield total('adjustments', invoice.adjustmentsNano);
  yield total('refunds', invoice.refundsNano);
  for (const { model, tasks, chargedNano, units } of invoice.lines) {
    const name = asCsvText(model ?? '');
    yield ['charge', name, '', '', String(tasks), nanoToDecimal(-chargedNano)];
    for (const { unit, quantity } of units) yield ['unit', name, asCsvText(unit), nanoToDecimal(quantity), '', ''];
  }
  yield total('closing_balance', invoice.closingNano);
}
