import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { createContext, useContext } from 'react';
import { undeclaredFields, useCustomFields, variableForKey } from './variables/variable-catalogue.ts';
import { keyFromLabel } from './variables/variable-keys.ts';

/** The variables of the template in the editor. */
export const DeclaredVariables = createContext<readonly TemplateVariable[]>([]);

/** Adds a variable to the template unless its key exists. */
export const DeclareVariable = createContext<(variable: TemplateVariable) => void>(() => undefined);

/** Returns the variables to choose from: those of the template, and fields that are declared when chosen. */
export function useVariableChoices() {
  const declared = useContext(DeclaredVariables);
  const declare = useContext(DeclareVariable);
  const customFields = useCustomFields();
  return { declared, undeclared: undeclaredFields(declared, customFields), declare };
}

/** Returns the variables whose label or key contains the text; those that start with it come first. */
function matchingVariables(
  variables: readonly TemplateVariable[],
  query: string,
): readonly TemplateVariable[] {
  const search = query.trim().toLowerCase();
  const place = ({ label, key }: TemplateVariable): number => {
    const names = [label.toLowerCase(), key.toLowerCase()];
    if (names.some((name) => name.startsWith(search))) return 0;
    return names.some((name) => name.includes(search)) ? 1 : 2;
  };
  return variables.filter((variable) => place(variable) < 2).sort((a, b) => place(a) - place(b));
}

/**
 * Returns the entries of the list: variables of the template, then fields without a variable. Without a match, a custom
 * variable of that name.
 */
export function offeredVariables(
  declared: readonly TemplateVariable[],
  undeclared: readonly TemplateVariable[],
  query: string,
): readonly TemplateVariable[] {
  const matches = [...matchingVariables(declared, query), ...matchingVariables(undeclared, query)];
  const key = keyFromLabel(query);
  return matches.length > 0 || key === '' ? matches : [{ ...variableForKey(key), label: query.trim() }];
}
