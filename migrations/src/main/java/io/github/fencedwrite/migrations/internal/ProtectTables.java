package io.github.fencedwrite.migrations.internal;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/** The migration that protects a list of tables, all or none. */
public final class ProtectTables implements JavaMigration {

    private final MigrationVersion version;
    private final String column;
    private final Duration patience;
    private final List<String> tables;

    public ProtectTables(MigrationVersion version, String column, Duration patience, List<String> tables) {
        if (tables.isEmpty() || Set.copyOf(tables).size() != tables.size()) {
            throw new IllegalArgumentException("Name at least one table, and each once: " + tables);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("The patience must be zero or more: " + patience);
        }
        this.version = version;
        this.column = column;
        this.patience = patience;
        this.tables = tables;
    }

    @Override
    public MigrationVersion getVersion() {
        return version;
    }

    @Override
    public String getDescription() {
        String description = "protect " + String.join(", ", tables);
        // Flyway's history has room for 200 characters
        return description.length() <= 200 ? description : "protect " + tables.size() + " tables";
    }

    /** Of column and tables; more patience does not make another migration. */
    @Override
    public Integer getChecksum() {
        CRC32 crc = new CRC32();
        crc.update(column.getBytes(StandardCharsets.UTF_8));
        for (String table : tables) {
            crc.update('\n');
            crc.update(table.getBytes(StandardCharsets.UTF_8));
        }
        return (int) crc.getValue();
    }

    @Override
    public boolean canExecuteInTransaction() {
        return true;
    }

    @Override
    public void migrate(Context context) throws SQLException {
        Connection connection = context.getConnection();
        try (PreparedStatement protect =
                connection.prepareStatement("SELECT fencing.protect_all(?, ?, CAST(? AS interval))")) {
            protect.setArray(1, connection.createArrayOf("text", tables.toArray()));
            protect.setString(2, column);
            protect.setString(3, patience.toMillis() + " milliseconds");
            protect.execute();
        }
    }
}
