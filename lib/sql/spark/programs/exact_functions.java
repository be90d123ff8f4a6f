package orderlens;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF5;

/**
 * The exact functions on amounts as decimal text, for Spark. Null in any argument gives null; bad
 * text and division by zero fail the query. exact_functions.ts documents them.
 */
public final class ExactFunctions {
  private static final BigInteger LIMB = BigInteger.TEN.pow(18);
  private static final int LONGEST_SHOWN = 100;
  private static final int MOST_SHIFTED = 1076;

  private ExactFunctions() {}

  public static final class Muldiv implements UDF3<Object, Object, Object, String> {
    @Override
    public String call(Object a, Object b, Object c) {
      if (a == null || b == null || c == null) return null;
      try {
        return dividedDown(amountOf(a).multiply(amountOf(b)), amountOf(c)).toString();
      } catch (ArithmeticException cause) {
        throw failure("u_muldiv", cause, a, b, c);
      }
    }
  }

  public static final class MuldivUp implements UDF3<Object, Object, Object, String> {
    @Override
    public String call(Object a, Object b, Object c) {
      if (a == null || b == null || c == null) return null;
      try {
        BigInteger negated = amountOf(a).multiply(amountOf(b)).negate();
        return dividedDown(negated, amountOf(c)).negate().toString();
      } catch (ArithmeticException cause) {
        throw failure("u_muldiv_up", cause, a, b, c);
      }
    }
  }

  public static final class Sub implements UDF2<Object, Object, String> {
    @Override
    public String call(Object a, Object b) {
      if (a == null || b == null) return null;
      try {
        return amountOf(a).subtract(amountOf(b)).toString();
      } catch (ArithmeticException cause) {
        throw failure("u_sub", cause, a, b);
      }
    }
  }

  public static final class Add implements UDF2<Object, Object, String> {
    @Override
    public String call(Object a, Object b) {
      if (a == null || b == null) return null;
      try {
        return amountOf(a).add(amountOf(b)).toString();
      } catch (ArithmeticException cause) {
        throw failure("u_add", cause, a, b);
      }
    }
  }

  public static final class Join implements UDF5<Object, Object, Object, Object, Object, String> {
    @Override
    public String call(Object a, Object b, Object c, Object d, Object e) {
      if (a == null || b == null || c == null || d == null || e == null) return null;
      try {
        BigInteger sum = amountOf(a);
        for (Object limb : new Object[] {b, c, d, e}) sum = sum.multiply(LIMB).add(amountOf(limb));
        return sum.toString();
      } catch (ArithmeticException cause) {
        throw failure("u_join", cause, a, b, c, d, e);
      }
    }
  }

  public static final class Quotient implements UDF3<Object, Object, Object, Double> {
    @Override
    public Double call(Object a, Object n, Object d) {
      if (a == null || n == null || d == null) return null;
      try {
        BigInteger numerator = amountOf(a).multiply(amountOf(n));
        BigInteger denominator = amountOf(d);
        if (denominator.signum() == 0) return null;
        return nearestDouble(numerator, denominator);
      } catch (ArithmeticException cause) {
        throw failure("u_quotient", cause, a, n, d);
      }
    }
  }

  /** Digits, after a minus sign if negative: BigInteger alone takes plus signs and other digits. */
  private static BigInteger amountOf(Object value) {
    String text = textOf(value);
    int start = text.startsWith("-") ? 1 : 0;
    boolean isAmount = text.length() > start;
    for (int at = start; isAmount && at < text.length(); at++) {
      isAmount = text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
    if (isAmount) return new BigInteger(text);
    throw new ArithmeticException("\"" + shown(text) + "\" is not a whole number in decimal digits");
  }

  private static String textOf(Object value) {
    return value instanceof BigDecimal ? ((BigDecimal) value).toPlainString() : value.toString();
  }

  private static BigInteger dividedDown(BigInteger numerator, BigInteger denominator) {
    if (denominator.signum() == 0) throw new ArithmeticException("division by zero");
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    boolean isBelow = parts[1].signum() != 0 && numerator.signum() != denominator.signum();
    return isBelow ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  /** The double nearest to a quotient: half to even, and never -0. */
  private static double nearestDouble(BigInteger numerator, BigInteger denominator) {
    if (numerator.signum() == 0) return 0;
    double size = nearestSize(numerator.abs(), denominator.abs());
    if (Double.isInfinite(size)) throw new ArithmeticException("it is beyond the largest double");
    return size != 0 && numerator.signum() != denominator.signum() ? -size : size;
  }

  /**
   * Rounds a quotient of 62 or 63 bits, the last of which stands for all bits after it. Below 2^-1022
   * doubles are multiples of 2^-1074, and the quotient has two bits after those: the cast keeps both
   * or rounds the last one to the even neighbour, which leaves halves to the scaling.
   */
  private static double nearestSize(BigInteger numerator, BigInteger denominator) {
    int shift = Math.min(62 - numerator.bitLength() + denominator.bitLength(), MOST_SHIFTED);
    BigInteger[] parts =
        numerator.shiftLeft(Math.max(shift, 0))
            .divideAndRemainder(denominator.shiftLeft(Math.max(-shift, 0)));
    long quotient = parts[0].longValue() | (parts[1].signum() == 0 ? 0 : 1);
    return Math.scalb((double) quotient, -shift);
  }

  private static IllegalArgumentException failure(
      String name, ArithmeticException cause, Object... values) {
    StringBuilder call = new StringBuilder(name).append("(");
    for (int at = 0; at < values.length; at++) {
      call.append(at == 0 ? "" : ", ").append(shown(textOf(values[at])));
    }
    return new IllegalArgumentException("<<" + call + "): " + cause.getMessage() + ">>");
  }

  private static String shown(String text) {
    String line = text.replaceAll("[\\r\\n]+", " ");
    return line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN);
  }
}
