export const texts = {
  choose: 'Open calendar',
  placeholders: { month: 'mm/yyyy', day: 'dd/mm/yyyy', minute: 'dd/mm/yyyy, h:mm am' },
  skipped: 'The clocks go forward then and skip this time',
  invalid: {
    month: 'Please enter a valid month',
    day: 'Please enter a valid date',
    minute: 'Please enter a valid date and time',
  },
} as const;
