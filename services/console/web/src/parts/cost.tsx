import { say } from '../frame/texts.ts';
import { Money } from './money.tsx';

/** The vendors' charge: an amount, and how many tasks or attempts it leaves out; unknown is never shown as nothing. */
export function Cost({ known, unknown }: { known: number; unknown: number }) {
  if (unknown === 0) return <Money amount={known} />;
  const left = say('cost.unknown', { count: unknown });
  if (known === 0) return <span className="quiet">{left}</span>;
  return (
    <>
      <Money amount={known} /> <span className="quiet">+ {left}</span>
    </>
  );
}

/** Null: a cost is unknown, and the margin with it. */
export function Margin({ amount }: { amount: number | null }) {
  return amount === null ? <span className="quiet">{say('margin.unknown')}</span> : <Money amount={amount} />;
}
