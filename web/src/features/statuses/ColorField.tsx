import { TextInput } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { texts } from '../../texts/statuses.ts';
import { colorOf, palette } from './color.ts';
import styles from './ColorField.module.css';

type ColorFieldProps = { value: string; onChange: (color: string) => void; error: string | undefined };

/** A colour of the palette, or any by its hex value. */
export function ColorField({ value, onChange, error }: ColorFieldProps): ReactNode {
  const name = useId();
  const chosen = colorOf(value);
  return (
    <fieldset className="ui-row ui-gap-4 ui-bottom">
      <legend className="ui-strong ui-mb-2">{texts.palette}</legend>
      <div className={styles.palette}>
        {palette.map(({ color, name: colorName }) => (
          <input
            key={color}
            type="radio"
            className={styles.color}
            data-keeps-color
            style={{ backgroundColor: color }}
            name={name}
            aria-label={colorName}
            title={colorName}
            checked={chosen === color}
            onChange={() => onChange(color)}
          />
        ))}
      </div>
      <TextInput
        className={styles.hex}
        label={texts.hex}
        withAsterisk
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </fieldset>
  );
}
