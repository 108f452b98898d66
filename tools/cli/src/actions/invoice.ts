import { invoiceAsCsv, invoiceAsJson, invoiceCells, type Month, monthIn, readInvoice } from '@mediagate/billing';
import { readAccount } from '@mediagate/identity';
import { Refusal } from '../refusal';
import { refuseRemoved } from '../refuse-removed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

const HEADINGS = ['LINE', 'MODEL', 'UNIT', 'QUANTITY', 'TASKS', 'AMOUNT'];

/** Sums up the bookings on an account in a month. */
export async function invoice(
  session: Session,
  { account, month, timezone, csv }: { account: string; month: Month; timezone?: string; csv?: true },
): Promise<Answer> {
  const database = await session.openDatabase();
  if (!(await readAccount(database, account))) throw new Refusal(`there is no account ${account}`);
  const found = await readInvoice(database, account, monthIn(month, timezone)).catch(refuseRemoved);
  const text = csv ? invoiceAsCsv(found).trimEnd() : textTable(HEADINGS, [...invoiceCells(found)]);
  return { json: invoiceAsJson(found), text };
}
