import { say } from '../frame/texts.ts';
import { currentLanguage } from '../texts/languages.ts';

/** The most decimals that an amount has. */
export const MONEY_DECIMALS = 9;
/** Amounts below one show what a cheap request costs; larger ones read as money does. */
const SMALL = new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const LARGE = new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const EXACT = new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: MONEY_DECIMALS });

/** Below this an amount is shown by its two leading digits. */
const TINY = 0.0001;
const LEADING = new Intl.NumberFormat(currentLanguage(), { maximumSignificantDigits: 2 });

/** An amount in currency units, with all its decimals on hover. */
export function Money({ amount, signed = false }: { amount: number; signed?: boolean }) {
  return (
    <span className="number" title={`${EXACT.format(amount)} ${say('currencyUnits')}`}>
      {signed && amount > 0 ? '+' : ''}
      {moneyText(amount)}
    </span>
  );
}

export function moneyText(amount: number): string {
  const size = Math.abs(amount);
  if (size > 0 && size < TINY) return LEADING.format(amount);
  return (size < 1 ? SMALL : LARGE).format(amount).replace(/^-/, '−');
}

export function exactMoney(amount: number): string {
  return EXACT.format(amount);
}
