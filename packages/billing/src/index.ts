export {
  type AccountSettings,
  type AccountState,
  INVARIANTS,
  type KeyedRequest,
  type LedgerRow,
  type UsageGroups,
  type UsageQuery,
  type UsageRow,
} from '@mediagate/database';

export {
  type AuditRun,
  audit,
  auditNow,
  auditOnRequest,
  auditRunOf,
  describeAudit,
  listAudits,
  requestAudit,
  type Violation,
} from './audit';
export { auditByClock } from './audit-by-clock';
export { type Balance, findShortage, readAccountBalance, readKeyBalance } from './balance';
export { type ClosingStep, closeNextMonth, pruneBooks } from './close-books';
export { asCsvText, asExcelText, toCsv } from './csv';

export { CANCELLED_BY_CALLER, cancelUnpaid, createFinisher, endByOperator, taskError } from './finish';
export {
  type AttemptEnd,
  type CallMade,
  type FinishOutcome,
  type FinishRequest,
  keepEnd,
  type ProvisionalEnd,
  type TaskError,
} from './finish-request';
export type { FinishedTask } from './finished-task';
export { adjust, type Funding, topUp } from './fund-account';
export { invoiceAsCsv, invoiceAsJson, invoiceCells } from './invoice/describe-invoice';
export { type Invoice, lastMonth, type Month, monthIn, parseMonth, readInvoice } from './invoice/read-invoice';
export { BookingsRemovedError } from './kept-bookings';
export { describeEntry, describeEntryToOperators, describeKept, type LedgerQuery, listLedger } from './ledger';
export { MARGIN_COLUMNS, type MarginColumn, marginAsCsv, marginAsJson, sumsAsText } from './margin/describe-margin';
export { type MarginReport, type MarginRequest, type MarginTooWide, readMargin } from './margin/read-margin';
export { type FollowedPrices, followPrices, PRICE_LEAD_MS } from './prices/follow-prices';
export {
  describePrice,
  describePriceOverride,
  type ListedPrice,
  listPriceHistory,
  listPrices,
  listPricesInForce,
  priceInUnits,
  priceWithoutOverride,
  readPriceOverride,
} from './prices/list-prices';
export { type Prices, pricesInForce } from './prices/price-schedule';
export { setPrice } from './prices/set-price';
export { describeRefund, type HandRefund, readCharge, readReserved, refundOf } from './refund-task';
export type { Shortage, Submission, SubmitOutcome } from './submission';
export { createEarlierFinder, createSubmitter, type EarlierSubmission } from './submit';
export { beginningOf, dayAt, readTimeZone } from './time-zone';
export { sumDays, sumUsage } from './usage';
