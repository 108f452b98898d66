import { JsonInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { say as sayFrame } from '../../frame/texts.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { type Field, kindOf } from './fields.ts';
import { say } from './texts.ts';
import { UploadButton } from './upload-button.tsx';

interface FieldInputProps {
  field: Field;
  value: unknown;
  /** The fault of the field, in the API's words. */
  fault: string | undefined;
  onChange(value: unknown): void;
}

/** The control that suits a field of a schema. */
export function FieldInput({ field, value, fault, onChange }: FieldInputProps) {
  const { name, schema, required } = field;
  const common = { label: name, description: schema.description, error: fault, withAsterisk: required };
  const text = typeof value === 'string' ? value : '';
  switch (kindOf(name, schema)) {
    case 'choice':
      return <Choice {...common} field={field} value={value} onChange={onChange} />;
    case 'switch':
      return (
        <Switch
          label={name}
          description={schema.description}
          error={fault}
          checked={Boolean(value ?? schema.default)}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'number':
      return <NumberInput {...common} field={field} value={value} onChange={onChange} />;
    case 'list':
      return <List {...common} field={field} value={value} onChange={onChange} />;
    case 'json':
      return <Json {...common} field={field} value={value} onChange={onChange} />;
    case 'text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    default:
      return (
        <div>
          <TextInput
            {...common}
            value={text}
            placeholder={defaultOf(schema.default)}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {name.endsWith('_url') && <UploadButton onDone={onChange} />}
        </div>
      );
  }
}

interface ControlProps {
  field: Field;
  value: unknown;
  onChange(value: unknown): void;
}

function NumberInput({ field: { schema }, value, onChange, ...common }: ControlProps) {
  return (
    <NumberField
      {...common}
      value={typeof value === 'number' ? value : ''}
      placeholder={defaultOf(schema.default)}
      allowDecimal={schema.type === 'number'}
      step={schema.type === 'number' ? 0.1 : 1}
      {...(schema.minimum !== undefined && { min: schema.minimum })}
      {...(schema.maximum !== undefined && { max: schema.maximum })}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}

/** Texts, or files by their addresses and ids. */
function List({ field: _, value, onChange, ...common }: ControlProps) {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div>
      <TagsInput
        {...common}
        value={list.map(String)}
        splitChars={['\n']}
        acceptValueOnBlur
        placeholder={say('list.add')}
        clearable
        clearButtonProps={{ 'aria-label': sayFrame('close') }}
        onChange={onChange}
      />
      <UploadButton onDone={(id) => onChange([...list, id])} />
    </div>
  );
}

/** Numbers are shown as texts, and sent as numbers. */
function Choice({ field: { schema }, value, onChange, ...common }: ControlProps) {
  const choices = schema.enum ?? [];
  return (
    <Select
      {...common}
      data={choices.map(String)}
      value={value === undefined ? null : String(value)}
      placeholder={defaultOf(schema.default)}
      clearable
      clearButtonProps={{ 'aria-label': sayFrame('close') }}
      onChange={(text) => onChange(choices.find((choice) => String(choice) === text))}
    />
  );
}

function Json({ field: _, value, onChange, ...common }: ControlProps) {
  const change = (text: string) => {
    try {
      onChange(text.trim() === '' ? undefined : JSON.parse(text));
    } catch {
      // While it is typed it is a text, which the API refuses by name.
      onChange(text);
    }
  };
  return (
    <JsonInput
      {...common}
      autosize
      minRows={2}
      maxRows={10}
      value={value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      onChange={change}
    />
  );
}

function defaultOf(value: unknown): string {
  return value === undefined ? '' : String(value);
}
