import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

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
      value={numberIn(typed) === value ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(numberIn(next));
      }}
    />
  );
}

/** Empty: there is no number yet. */
function numberIn(typed: number | string): number | '' {
  const number = typed === '' ? Number.NaN : Number(typed);
  return Number.isNaN(number) ? '' : number;
}
