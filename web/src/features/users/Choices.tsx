import type { Role } from '@forecourt/contract/auth';
import { Input } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { Segments } from '../../ui/Segments.tsx';

type ChoiceProps<K extends string> = {
  label: string;
  words: Readonly<Record<K, string>>;
  /** Describes the chosen option. */
  hints: Readonly<Record<K, string>>;
  value: K;
  onChange: (value: K) => void;
};

/** One of two or three options, with a description of the chosen one. */
export function Choice<K extends string>({
  label,
  words,
  hints,
  value,
  onChange,
}: ChoiceProps<K>): ReactNode {
  const id = useId();
  const data = (Object.keys(words) as K[]).map((key) => ({ value: key, label: words[key] }));
  return (
    <div>
      <Input.Label component="div" id={id}>
        {label}
      </Input.Label>
      <Segments aria-labelledby={id} fullWidth data={data} value={value} onChange={onChange} />
      <Input.Description mt={4}>{hints[value]}</Input.Description>
    </div>
  );
}

type RoleChoiceProps = { value: Role; onChange: (role: Role) => void };

export function RoleChoice({ value, onChange }: RoleChoiceProps): ReactNode {
  return (
    <Choice
      label={texts.role}
      words={texts.roles}
      hints={texts.roleHints}
      value={value}
      onChange={onChange}
    />
  );
}
