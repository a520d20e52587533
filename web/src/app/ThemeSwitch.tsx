import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import type { ComponentType, ReactNode } from 'react';
import { texts } from '../texts/app.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import styles from './ThemeSwitch.module.css';

type Choice = { value: MantineColorScheme; label: string; icon: ComponentType };

const choices: readonly Choice[] = [
  { value: 'auto', label: texts.system, icon: Monitor },
  { value: 'light', label: texts.light, icon: Sun },
  { value: 'dark', label: texts.dark, icon: Moon },
];

/** System, light or dark; stored under the key `theme`. */
export function ThemeSwitch({ collapsed }: { collapsed: boolean }): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={styles.switch} data-collapsed={collapsed || undefined}>
      <legend className="ui-hidden">{texts.theme}</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <Tooltip key={value} label={label} position={collapsed ? 'right' : 'top'}>
          <label className={`ui-center ${styles.choice}`}>
            <input
              type="radio"
              name="theme"
              aria-label={label}
              checked={colorScheme === value}
              onChange={() => setColorScheme(value)}
            />
            <Icon />
          </label>
        </Tooltip>
      ))}
    </fieldset>
  );
}
