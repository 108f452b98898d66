import { NumberInput, type NumberInputProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange' | 'clampBehavior'> {
  value: number | '';
  onChange(value: number | ''): void;
}

/**
 * A field for a number, with what was typed of it so far: `-` and `0.` are none yet, and must not be lost. What is out of bounds stays
 * as it was typed, for the API to refuse: an amount that changes by itself is another one than was meant.
 */
export function NumberField({ value, onChange, ...props }: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string>(value);
  return (
    <NumberInput
      {...props}
      clampBehavior="none"
      wrapperProps={{ onKeyDownCapture: keepVainBackspace }}
      value={numberIn(typed) === value ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(numberIn(next));
      }}
    />
  );
}

/**
 * Before the first character a backspace removes nothing, but the library answers it by putting the caret there a turn later: behind
 * a digit typed since, so that 900 became 009.
 */
function keepVainBackspace(event: KeyboardEvent): void {
  const { target } = event;
  if (event.key !== 'Backspace' || !(target instanceof HTMLInputElement)) return;
  if (target.selectionStart === 0 && target.selectionEnd === 0) event.stopPropagation();
}

/** Empty: there is no number yet. */
function numberIn(typed: number | string): number | '' {
  const number = typed === '' ? Number.NaN : Number(typed);
  return Number.isNaN(number) ? '' : number;
}
