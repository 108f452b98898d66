import { exactMoney, Money } from '../../parts/money.tsx';
import classes from './price.module.css';
import { say } from './texts.ts';
import type { Judged } from './use-estimate.ts';

/** The cost of the submission, and by which prices; or why it would be refused. */
export function Price({ judged: { estimate, error, isOld } }: { judged: Judged }) {
  return (
    <div className={classes.price} data-old={isOld} role="status">
      {error !== undefined && <span className={classes.fault}>{error.message}</span>}
      {estimate !== undefined && (
        <>
          <span>
            {say('price')} <Money amount={estimate.expected} />
            {estimate.reserved !== estimate.expected && (
              <span className="quiet"> {say('price.held', { amount: exactMoney(estimate.reserved) })}</span>
            )}
          </span>
          <span className={classes.parts}>
            {estimate.unit_prices.map(({ unit, price, quantity }) => (
              <span key={unit}>
                {exactMoney(quantity)} × {exactMoney(price)} {unit}
              </span>
            ))}
          </span>
          {estimate.affordable === false && <span className={classes.fault}>{say('price.short')}</span>}
          {estimate.warnings.map((warning) => (
            <span key={warning} className="quiet">
              {warning}
            </span>
          ))}
        </>
      )}
    </div>
  );
}
