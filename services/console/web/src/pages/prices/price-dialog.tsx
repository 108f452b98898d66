import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { MONEY_DECIMALS } from '../../parts/money.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { type Amounts, newPrice } from './new-price.ts';
import { PER_TASK, PRICES, type Price, type PriceOverride } from './queries.ts';
import { say } from './texts.ts';

interface PriceDialogProps {
  /** The prices of one billing key; none: the user names a key here, and its price for whole tasks. */
  prices: readonly Price[];
  onClose(): void;
}

type Kind = 'set' | 'file';

const DAY_MS = 86_400_000;

/** Sets what a key costs from a moment on, or gives it back to the file. */
export function PriceDialog({ prices, onClose }: PriceDialogProps) {
  const [key, setKey] = useState(prices[0]?.key ?? '');
  const [kind, setKind] = useState<Kind>('set');
  const [amounts, setAmounts] = useState<Amounts>(() => amountsOf(prices));
  const [day, setDay] = useState(() => dayText(Date.now() + DAY_MS));
  const price = kind === 'file' ? 'file' : newPrice(prices, amounts);
  return (
    <ChangeDialog<PriceOverride>
      title={prices.length === 0 ? say('other') : say('change.one', { key })}
      about={say(kind === 'file' ? 'change.file' : 'change.about')}
      action={say(kind === 'file' ? 'change.giveBack' : 'change')}
      path="/admin/v1/prices"
      body={{ key, price, ...(day !== '' && { effective_at: Date.parse(`${day}T00:00:00Z`) / 1000 }) }}
      affects={[PRICES]}
      disabled={key === '' || price === undefined}
      done={({ effective_at }) => {
        const from = new Date(effective_at * 1000).toLocaleString(document.documentElement.lang);
        return say('change.done', { key, from });
      }}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          {prices.length === 0 ? (
            <TextInput
              label={say('key')}
              description={say('key.about')}
              value={key}
              error={faultOf('key')}
              onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
              data-autofocus
            />
          ) : (
            <SegmentedControl
              aria-label={say('change')}
              data={(['set', 'file'] as const).map((value) => ({ value, label: say(`kind.${value}`) }))}
              value={kind}
              onChange={(value) => setKind(value as Kind)}
            />
          )}
          {kind === 'set' && <Units amounts={amounts} faultOf={faultOf} onChange={setAmounts} />}
          <TextInput
            type="date"
            label={say('from')}
            description={say('from.about')}
            min={dayText(Date.now() + DAY_MS)}
            value={day}
            error={faultOf('effective_at')}
            onChange={({ currentTarget }) => setDay(currentTarget.value)}
          />
        </>
      )}
    </ChangeDialog>
  );
}

interface UnitsProps {
  amounts: Amounts;
  faultOf: FaultOf;
  onChange(amounts: Amounts): void;
}

function Units({ amounts, faultOf, onChange }: UnitsProps) {
  return Object.entries(amounts).map(([unit, amount]) => (
    <NumberField
      key={unit}
      label={unit === PER_TASK ? say('unit.task') : unit}
      min={0}
      decimalScale={MONEY_DECIMALS}
      value={amount}
      error={faultOf(unit === PER_TASK ? 'price' : `price.${unit}`)}
      onChange={(value) => onChange({ ...amounts, [unit]: value })}
    />
  ));
}

function amountsOf(prices: readonly Price[]): Amounts {
  if (prices.length === 0) return { [PER_TASK]: '' };
  return Object.fromEntries(prices.map(({ unit, price }) => [unit, price]));
}

/** The day in UTC. */
function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
