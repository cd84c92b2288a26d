package io.github.fencedwrite.examples.inventory.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** A JSON object that a client sent. Read strictly: what is not understood is refused, never guessed. */
public final class JsonBody {

    /** Reads and writes all JSON of this service. */
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
            .build();

    private final JsonNode object;

    private JsonBody(JsonNode object) {
        this.object = object;
    }

    /**
     * Reads the body of a request.
     *
     * @param fields all fields that it may have
     * @throws ProblemException if it is no JSON object, or has other fields
     */
    public static JsonBody of(Context ctx, String... fields) {
        if (!isJson(ctx)) {
            throw new ProblemException(
                    ProblemType.NOT_JSON, "Send the body as JSON, with the header Content-Type: application/json.");
        }
        JsonNode object;
        try {
            object = MAPPER.readTree(ctx.body());
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw new ProblemException(ProblemType.MALFORMED_JSON, "The body is no JSON" + where + ".");
        }
        if (object == null || !object.isObject()) {
            throw new ProblemException(ProblemType.MALFORMED_JSON, "The body is no JSON object. " + expected(fields));
        }
        object.fieldNames().forEachRemaining(name -> {
            if (!List.of(fields).contains(name)) {
                throw new ProblemException(
                        ProblemType.INVALID_VALUE, "The field \"" + name + "\" is unknown. " + expected(fields));
            }
        });
        return new JsonBody(object);
    }

    private static boolean isJson(Context ctx) {
        String type = ctx.contentType();
        return type != null && type.toLowerCase(Locale.ROOT).matches("application/json\\s*(;.*)?");
    }

    private static String expected(String... fields) {
        return "It has the fields " + String.join(", ", fields) + ".";
    }

    /** A text. */
    public String text(String field) {
        JsonNode value = object.path(field);
        if (!value.isTextual()) {
            throw new ProblemException(ProblemType.INVALID_VALUE, "The field \"" + field + "\" has to be a string.");
        }
        return value.textValue();
    }

    /** True or false. */
    public boolean flag(String field) {
        JsonNode value = object.path(field);
        if (!value.isBoolean()) {
            throw new ProblemException(
                    ProblemType.INVALID_VALUE, "The field \"" + field + "\" has to be true or false.");
        }
        return value.booleanValue();
    }

    /** A whole number, of any size that fits. */
    public long integer(String field) {
        JsonNode value = object.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new ProblemException(
                    ProblemType.INVALID_VALUE,
                    "The field \"" + field + "\" has to be a whole number within its range.");
        }
        return value.longValue();
    }
}
