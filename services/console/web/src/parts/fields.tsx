import { Input, MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useReducer } from 'react';
import { say } from '../frame/texts.ts';
import type { FaultOf } from './change-dialog.tsx';
import { MONEY_DECIMALS } from './money.tsx';
import { NumberField } from './number-field.tsx';

interface TextField {
  kind: 'text';
  type?: 'email' | 'url' | 'date';
  maxLength?: number;
  required?: true;
}

interface CountField {
  /** An amount of currency units has decimals, a count has none. */
  kind: 'amount' | 'count';
  min?: number;
  max?: number;
  /** The value of an empty field; default: ''. */
  empty?: null;
}

interface WordField {
  /** `choice` shows all words side by side, `select` the chosen one; of `several` any number may be chosen. */
  kind: 'choice' | 'select' | 'several';
  words: readonly { value: string; label: string }[];
  /** Only screen readers get the label of a choice. */
  labelHidden?: true;
}

/** One input of a form, as data. */
export type Field<Values> = (TextField | CountField | WordField) & {
  name: keyof Values & string;
  label: string;
  about?: string | undefined;
  placeholder?: string;
};

interface Form<Values> {
  values: Values;
  change(changes: Partial<Values>): void;
}

export function useForm<Values extends object>(initial: Values): Form<Values> {
  const merge = (values: Values, changes: Partial<Values>): Values => ({ ...values, ...changes });
  const [values, change] = useReducer(merge, initial);
  return { values, change };
}

/**
 * The inputs of a form for a dialog, each with its value and what the API has against it. The first one to type in has the focus. A field
 * that does not apply is false.
 */
export function fieldsOf<Values extends object>(
  { values, change }: Form<Values>,
  fields: readonly (Field<Values> | false)[],
): (faultOf: FaultOf) => ReactNode {
  const shown = fields.filter((field) => field !== false);
  const first = shown.find(({ kind }) => kind === 'text' || kind === 'amount' || kind === 'count');
  return (faultOf) =>
    shown.map((field) => (
      <FieldInput
        key={field.name}
        field={field}
        value={values[field.name]}
        fault={faultOf(field.name)}
        isFirst={field === first}
        onChange={(value) => change({ [field.name]: value } as Partial<Values>)}
      />
    ));
}

interface FieldInputProps {
  field: Field<Record<string, unknown>>;
  value: unknown;
  fault: string | undefined;
  isFirst: boolean;
  onChange(value: unknown): void;
}

function FieldInput({ field, value, fault, isFirst, onChange }: FieldInputProps) {
  const { label, about, placeholder = '' } = field;
  const shared = { label, description: about, placeholder, error: fault, ...(isFirst && { 'data-autofocus': true }) };
  switch (field.kind) {
    case 'text': {
      const { type = 'text', required = false, maxLength } = field;
      const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.value);
      const limits = { type, required, withAsterisk: false, maxLength };
      return <TextInput {...shared} {...limits} value={value as string} onChange={change} />;
    }
    case 'amount':
    case 'count': {
      const { kind, name: _name, label: _label, about: _about, empty = '', ...limits } = field;
      const change = (number: number | '') => onChange(number === '' ? empty : number);
      const decimalScale = kind === 'amount' ? MONEY_DECIMALS : 0;
      const number = (value ?? '') as number | '';
      return <NumberField {...shared} {...limits} decimalScale={decimalScale} value={number} onChange={change} />;
    }
    case 'choice':
      return <Choice field={field} value={value as string} onChange={onChange} />;
    case 'select': {
      const change = (word: string | null) => onChange(word ?? value);
      return (
        <Select {...shared} allowDeselect={false} data={[...field.words]} value={value as string} onChange={change} />
      );
    }
    case 'several': {
      const words = { data: [...field.words], value: value as string[], onChange };
      return <MultiSelect {...shared} {...words} clearButtonProps={{ 'aria-label': say('close') }} />;
    }
  }
}

interface ChoiceProps {
  field: WordField & { label: string };
  value: string;
  onChange(word: string): void;
}

function Choice({ field: { label, labelHidden, words }, value, onChange }: ChoiceProps) {
  const control = { 'aria-label': label, data: [...words], value, onChange };
  if (labelHidden) return <SegmentedControl {...control} />;
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl fullWidth {...control} />
    </Input.Wrapper>
  );
}
