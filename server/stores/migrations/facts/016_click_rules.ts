// Which rule of its link sent a click where it went; '' where none did.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '016_click_rules',
  tables: {},
  columns: { clicks: ["rule LowCardinality(String) DEFAULT ''"] },
  views: {},
}
