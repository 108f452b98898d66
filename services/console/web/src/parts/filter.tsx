import { Select, type SelectProps } from '@mantine/core';
import { say } from '../frame/texts.ts';
import type { AddressProps } from './use-address.ts';

interface FilterProps extends Omit<SelectProps, 'onChange'>, AddressProps {
  /** The word of the address that keeps the choice. */
  name: string;
  label: string;
}

/** Narrows a list by one of some values, or by none. The choice stands in the address, so that a list can be shared. */
export function Filter({ name, label, words, onChange, ...more }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      clearButtonProps={{ 'aria-label': say('close') }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      value={words.get(name) || null}
      onChange={(value) => onChange({ [name]: value ?? '' })}
      {...more}
    />
  );
}
